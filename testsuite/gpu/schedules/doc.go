// Schedules writes schedules of a program to try on a device: the best ones by the cost model, in its order, and the best one with one
// decision after the other left out. testsuite/gpu/tune.sh builds a project for each, and testsuite/gpu/tune.py measures them.
package main
