// Package prove decides questions about integers for the language's static checks. It knows nothing of the language.
package prove
