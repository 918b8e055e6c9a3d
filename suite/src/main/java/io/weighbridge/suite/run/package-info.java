/** Starts and stops every service, agent and the database on one host: in one process, or as a process each. */
@NullMarked
package io.weighbridge.suite.run;

import org.jspecify.annotations.NullMarked;
