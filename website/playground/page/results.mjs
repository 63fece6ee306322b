// Shows what a command answers: findings, the matrix of pods and pools, the calendar, changes.
function element(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children.filter((child) => child !== null));
  return made;
}

// Parts of a message in backticks are code.
const prose = (text) => element("span", {}, ...text.split("`").map((part, number) => (number % 2 ? element("code", {}, part) : part)));
const code = (text) => element("code", {}, text);
const row = (cells, kind = "td") => element("tr", {}, ...cells.map((cell) => (cell instanceof Node && cell.nodeName === "TD" ? cell : element(kind, {}, cell ?? ""))));
const table = (head, rows, className = "") => element("table", { className }, row(head, "th"), ...rows);
const word = (text, className = text) => element("span", { className }, String(text));

function finding(found) {
  const at = found.line === undefined || found.line === null ? "" : `line ${found.line}: `;
  return element("div", { className: `finding ${found.severity}` }, word(`${at}${found.code} ${found.name}`, found.severity),
    element("p", {}, prose(found.message)), found.fix ? element("p", {}, "Fix: ", prose(found.fix.text)) : null);
}

function findings(list) {
  return list.length ? [element("h2", {}, "Findings"), ...list.map(finding)] : [];
}

function matrix(answer) {
  const pools = [...new Set(answer.pods.flatMap((pod) => pod.pools.map((pool) => pool.pool)))];
  const cell = (pod, name) => {
    const found = pod.pools.find((pool) => pool.pool === name);
    return found ? element("td", {}, word(found.verdict), ...found.reasons.map((reason) => element("div", {}, prose(reason.message)))) : "";
  };
  const rows = answer.pods.map((pod) => row([element("td", {}, element("b", {}, pod.name), element("div", {}, pod.pool ? `lands on ${pod.pool}` : pod.verdict)), ...pools.map((name) => cell(pod, name))]));
  return [element("h2", {}, "Pods and pools"), table(["pod", ...pools], rows)];
}

const DAY = 86_400_000;
const STATES = ["open", "limited", "unknown", "closed"];
const SIGNS = { open: ".", limited: "o", closed: "#", unknown: "?" };

function calendar(pool) {
  if (!pool.intervals.length) return [];
  const first = Math.floor(Date.parse(pool.intervals[0].from) / DAY) * DAY;
  const hour = (at) => {
    const found = pool.intervals.filter((part) => Date.parse(part.from) < at + DAY / 24 && Date.parse(part.to) > at).flatMap((part) => Object.values(part.reasons));
    const state = STATES.findLast((each) => found.includes(each)) ?? "open";
    return element("td", { className: state, title: state }, SIGNS[state]);
  };
  const days = Array.from({ length: 7 }, (_, number) => first + number * DAY);
  const rows = days.map((day) => row([new Date(day).toISOString().slice(0, 10), ...Array.from({ length: 24 }, (_, number) => hour(day + (number * DAY) / 24))]));
  return [element("h2", {}, pool.pool), table(["day (UTC)", ...Array.from({ length: 24 }, (_, number) => String(number))], rows, "calendar")];
}

const windows = (answer) => [...answer.pools.flatMap(calendar), element("p", {}, "# closed, o limited, . open. Each hour shows its most restrictive state.")];

function changes(answer) {
  const shown = (value) => (value === null ? "" : code(typeof value === "string" ? value : JSON.stringify(value)));
  const rows = answer.changes.map((change) => row([code(change.path), shown(change.old), shown(change.new), element("td", {}, word(change.effect), element("div", {}, prose(change.reason)))]));
  return rows.length ? [element("h2", {}, "Changes"), table(["path", "old", "new", "effect on nodes"], rows)] : [element("p", {}, "Nothing changes.")];
}

const SHOWN = { check: () => [], explain: matrix, windows, diff: changes };

export function show(place, command, { json, text }) {
  let parts;
  try {
    const answer = JSON.parse(json);
    const problems = answer.problems.map((problem) => element("p", { className: "error" }, problem.message ?? String(problem)));
    parts = [...problems, ...(answer.complete ? SHOWN[command](answer) : []), ...findings(answer.findings)];
    if (command === "check" && !answer.findings.length && answer.complete) parts.push(element("p", { className: "fits" }, "No findings."));
  } catch {
    parts = []; // what is not JSON is an error of the command, which the text tells
  }
  place.replaceChildren(...parts, element("details", {}, element("summary", {}, "As text"), element("pre", {}, text)));
}
