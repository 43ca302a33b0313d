// Tables measures on a device what the optimizer decides: for each pipeline of some programs the planned schedule, the plan with one
// decision after the other left out, and the schedules that the cost model ranks next. It prints a line of JSON for each, as it comes;
// "tables print" makes tables of such lines in Markdown, and "tables again" ranks what they have measured by the model as it is now.
//
// A pipeline is measured by a process of its own, which is stopped and begun anew behind a schedule that hangs or fails. Processes
// compile side by side and measure one at a time. What earlier output has, given by -earlier, is not measured again, so that a
// measurement may be done in pieces.
package main
