// Package singles joins the stages of one instance. Values that a pipeline computes from pixels (sums, means, what is computed from
// them) are stages of one instance each, which write a pixel that later stages read. Each would be a launch that takes longer than
// its work. Join makes one stage of those that follow each other; a stage of many instances between them is moved before them
// where it touches nothing that they do. What one of them leaves for another is a value of the body, and a scalar that nobody else reads is not kept.
//
// It knows hast and types: neither kir nor devices.
package singles
