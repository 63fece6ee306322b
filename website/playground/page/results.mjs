// Shows what a command answers: findings, the matrix of pods and pools, the calendar, changes, capacity, upgrades.
import { NAMES, placeOf } from "./commands.mjs";

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

// The page of a rule on the site, which the playground is a folder of.
const rulePage = (code) => `../reference/rules/${code.toLowerCase()}.html`;

function finding(found) {
  const at = found.line === undefined || found.line === null ? "" : `line ${found.line}: `;
  const title = element("a", { href: rulePage(found.code), className: found.severity }, `${found.code} ${found.name}`);
  return element("div", { className: `finding ${found.severity}` }, word(at, found.severity), title, word(` (${found.severity})`, found.severity),
    found.path ? element("div", { className: "path" }, code([found.object?.split("#").at(-1), found.path].filter(Boolean).join(": "))) : null,
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
  return answer.pods.length > FEW ? [...grid(answer, pools), element("h2", {}, "Reasons"), table(["pod", ...pools], rows)] : [element("h2", {}, "Pods and pools"), table(["pod", ...pools], rows)];
}

const FEW = 3;
const VERDICTS = { fits: "✔", unknown: "?", cannot: "✘" };

// One sign for each workload and pool: a row for each pool, as `explain` prints it.
function grid({ pods, workloads }, pools) {
  const names = [...new Set(pods.map((pod) => pod.name))];
  const sign = (name, pool) => {
    const found = pods.filter((pod) => pod.name === name).flatMap((pod) => pod.pools).find((each) => each.pool === pool);
    return found ? element("td", { className: found.verdict, title: found.verdict }, VERDICTS[found.verdict] ?? "?") : "";
  };
  const answers = names.map((name) => word(workloads.find((each) => each.name === name)?.verdict ?? ""));
  return [element("h2", {}, "Workloads and pools"),
    table(["", ...names], [row(["answer", ...answers.map((each) => element("td", {}, each))]), ...pools.map((pool) => row([pool, ...names.map((name) => sign(name, pool))]))], "grid")];
}

const DAY = 86_400_000;
const STATES = ["open", "limited", "unknown", "closed"];
const SIGNS = { open: ".", limited: "o", closed: "#", unknown: "?" };

function calendar(pool) {
  if (!pool.intervals.length) return [];
  const first = Math.floor(Date.parse(pool.intervals[0].start) / DAY) * DAY;
  const hour = (at) => {
    const found = pool.intervals.filter((part) => Date.parse(part.start) < at + DAY / 24 && Date.parse(part.end) > at).flatMap((part) => Object.values(part.reasons));
    const state = STATES.findLast((each) => found.includes(each)) ?? "open";
    return element("td", { className: state, title: state }, SIGNS[state]);
  };
  const days = Array.from({ length: 7 }, (_, number) => first + number * DAY);
  const rows = days.map((day) => row([new Date(day).toISOString().slice(0, 10), ...Array.from({ length: 24 }, (_, number) => hour(day + (number * DAY) / 24))]));
  return [element("h2", {}, pool.pool), table(["day (UTC)", ...Array.from({ length: 24 }, (_, number) => String(number))], rows, "calendar")];
}

const LEGEND = ["# closed: no node is disrupted for at least one reason", "o limited: a budget limits how many at a time", "? unknown", ". open: nothing limits it"];
const calendars = (answer) => [...answer.pools.flatMap(calendar), element("p", {}, `${LEGEND.join("; ")}. Each hour shows its most restrictive state.`)];

function changes(answer) {
  const shown = (value) => (value === null ? "" : code(typeof value === "string" ? value : JSON.stringify(value)));
  const rows = answer.changes.map((change) => row([code(change.path), shown(change.old), shown(change.new), element("td", {}, word(change.effect), element("div", {}, prose(change.message)))]));
  return rows.length ? [element("h2", {}, "Changes"), table(["path", "old", "new", "effect on nodes"], rows)] : [element("p", {}, "Nothing changes.")];
}

const amount = (count, none) => (count === null ? none : count.toLocaleString("en"));
const upTo = ({ maximum }) => amount(maximum, "not limited");

// What is not certain to fit comes first.
function capacity(answer) {
  const order = ["does_not_fit", "unknown", "fits"];
  const items = answer.clusters.flatMap(({ cluster, items: found }) => found.map((item) => ({ cluster, ...item })));
  const shown = [...new Map(items.map((item) => [`${item.cluster} ${item.what} ${item.name} ${item.verdict}`, item])).values()];
  shown.sort((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict));
  const rows = shown.map((item) => row([element("td", {}, word(item.verdict)), item.cluster, element("td", {}, prose(item.message)), item.needed === null ? upTo(item.maximum) : amount(item.needed), amount(item.available, "not known")]));
  return [element("h2", {}, "Addresses, ports, nodes and vCPUs"), table(["verdict", "cluster", "what", "needed at most", "available"], rows)];
}

function step({ step: number, what, name, nodes, how, blocked_by: blockers }) {
  const count = nodes.maximum === 0 ? "" : `, ${nodes.minimum} to ${amount(nodes.maximum, "any number of")} nodes`;
  const found = blockers.filter(({ severity }) => severity !== "note").map((each) => element("div", { className: each.severity }, prose(each.message), each.fix ? element("div", {}, "Fix: ", prose(each.fix.text)) : null));
  return row([String(number), element("td", {}, `${what.replaceAll("_", " ")} ${name}${count}`, how ? element("div", {}, code(how)) : null), element("td", {}, ...found)]);
}

function upgrade(answer) {
  if (answer.clusters.some(({ steps }) => !steps)) {
    const rows = answer.clusters.map((each) => row([each.cluster, each.version, each.newest, element("td", {}, word(each.verdict)), each.support_ends ?? "not known", element("td", {}, prose(each.if_missed))]));
    return [element("h2", {}, "End of support"), table(["cluster", "version", "newest", "verdict", "support ends", "after it"], rows)];
  }
  return answer.clusters.flatMap((each) => [
    element("h2", {}, `${each.cluster}: ${each.from} → ${each.to}, `, word(each.verdict)),
    ...each.undecided.map((text) => element("p", { className: "unknown" }, "? ", prose(text))),
    table(["step", "what", "what blocks or delays it"], each.steps.map(step)),
  ]);
}

const SHOWN = { capacity, upgrade, check: () => [], explain: matrix, calendar: calendars, diff: changes };

function problem({ path, message }) {
  const place = placeOf(path);
  const at = place ? `${NAMES[place.name]}${place.line ? `, line ${place.line}` : ""}` : path;
  return element("p", { className: "error" }, at ? `${at}: ` : "", prose(message));
}

function nothing(text) {
  if (!/nothing was checked|does not check/.test(text)) return element("p", { className: "fits" }, "No findings.");
  return element("p", { className: "unknown" }, "Nothing was checked: the text has no NodePool, node class or platform.");
}

export function show(place, command, { json, text }) {
  let parts;
  try {
    const answer = JSON.parse(json);
    parts = [...(answer.answer ? [element("p", { className: "answer" }, prose(answer.answer.replace(/^pools\.yaml( to|:)/, (_, next) => (next === ":" ? "" : next.trim()))))] : []), ...answer.problems.map(problem), ...(answer.complete ? SHOWN[command](answer) : []), ...findings(answer.findings)];
    if (command === "check" && text !== undefined && !answer.findings.length && answer.complete) parts.push(nothing(text));
  } catch {
    parts = []; // what is not JSON is an error of the command, which the text tells
  }
  const open = place.querySelector("details")?.open || (text !== undefined && !parts.length);
  const details = element("details", { open }, element("summary", {}, "As text"), element("pre", {}, text ?? "…"));
  place.replaceChildren(...parts, details);
}

// Asks for the texts that a command needs and does not have.
export function prompt(place, names) {
  place.replaceChildren(...names.map((name) => element("p", {}, element("b", {}, NAMES[name]), " is empty: paste YAML, or choose an example.")));
}
