// Writes down which tests node's own runner executed, as CTRF, for Proctor.
//
// Proctor offers this file as one more reporter of `node --test`. It prints nothing. The
// report is `<pid>-<start of the process in clock ticks>.ctrf.json` in the folder that
// PROCTOR_REPORT names. A file that holds no test is none: node calls it one that passed;
// a run of nothing but such files leaves no report. What is written comes from a process
// whose children the tests run in: it is evidence only together with the exit code.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const folder = process.env.PROCTOR_REPORT;
if (process.env.NODE_OPTIONS) {
  // What the tests start is offered nothing, and sees the caller's own variable.
  const before = process.env.NODE_OPTIONS.replace(/ ?--test-reporter(-destination)?=\S+/g, "");
  if (before) process.env.NODE_OPTIONS = before;
  else delete process.env.NODE_OPTIONS;
}

function statusOf(type, data) {
  if (data.skip !== undefined && data.skip !== false) return "skipped";
  if (data.todo !== undefined && data.todo !== false) return "skipped";
  return type === "test:pass" ? "passed" : "failed";
}

function isFile(data) {
  return data.nesting === 0 && /\.[cm]?[jt]sx?$/.test(data.name) &&
    (path.isAbsolute(data.name) || fs.existsSync(data.name));
}

function write(tests) {
  const stat = fs.readFileSync("/proc/self/stat", "latin1");
  const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const target = path.join(folder, `${process.pid}-${start}.ctrf.json`);
  const count = (status) => tests.filter((test) => test.status === status).length;
  const summary = { tests: tests.length };
  for (const status of ["passed", "failed", "skipped"]) summary[status] = count(status);
  const report = { results: { tool: { name: "node" }, summary, tests } };
  fs.writeFileSync(`${target}.part`, JSON.stringify(report), { mode: 0o600 });
  fs.renameSync(`${target}.part`, target);
}

module.exports = async function* report(source) {
  const tests = [];
  const open = [];
  for await (const { type, data } of source) {
    if (type === "test:start") {
      open.length = data.nesting;
      open[data.nesting] = data.name;
    }
    if (type !== "test:pass" && type !== "test:fail") continue;
    if (data.details?.type === "suite") continue;
    if (isFile(data) && type === "test:pass") continue;
    tests.push({
      name: data.name,
      suite: open.slice(0, data.nesting),
      filePath: data.file ? path.relative(process.cwd(), data.file) : undefined,
      status: statusOf(type, data),
      duration: data.details?.duration_ms ?? 0,
    });
  }
  try {
    if (folder && tests.length > 0) write(tests);
  } catch {
    // Nothing is counted then.
  }
};
