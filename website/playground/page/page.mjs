// The page: editors, examples, links that hold the input, and answers of the worker.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { COMMANDS, TITLES, placeOf, textsOf } from "./commands.mjs";
import { packed, unpacked } from "./fragment.mjs";
import { prompt, show } from "./results.mjs";

const place = (id) => document.getElementById(id);
const state = { command: "check", files: { pools: "", pods: "", new: "" }, to: "", asked: 0, ready: false, busy: false, again: false, stopped: false, timer: 0, slow: 0 };
let worker = started();
const editors = {};
const CUT_OFF = "The input of this link is damaged or cut off. The page shows an example.";
const LONG = 2_000; // some programs cut longer addresses off
const SLOW = 700; // milliseconds after which a run can be stopped
const COLORS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.keyword], color: "var(--key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--value)" },
  { tag: tags.comment, color: "var(--quiet)" },
]);

function editor(name) {
  const changed = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    state.files[name] = update.state.doc.toString();
    later();
  });
  const extensions = [lineNumbers(), history(), lintGutter(), yaml(), syntaxHighlighting(COLORS), keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]), changed,
    EditorView.contentAttributes.of({ "aria-label": TITLES[name], "aria-describedby": "keys", tabindex: "0" })];
  const box = document.createElement("div");
  box.className = "editor";
  box.innerHTML = "<h2></h2>";
  box.firstChild.textContent = TITLES[name];
  place("editors").append(box);
  return { box, view: new EditorView({ parent: box, state: EditorState.create({ extensions }) }) };
}

function later() {
  clearTimeout(state.timer);
  state.timer = setTimeout(ask, 300);
}

function ask() {
  state.stopped = false;
  if (!state.ready) return unanswered();
  state.again = state.busy; // edits while a command runs are one next run, not one each
  const { inputs, line } = COMMANDS[state.command];
  const empty = inputs.filter((name) => !state.files[name].trim());
  if (empty.length) return answered(++state.asked, () => prompt(place("result"), empty));
  if (state.busy) return;
  isBusy(true);
  const files = Object.fromEntries(textsOf(COMMANDS[state.command]).map((name) => [`${name}.yaml`, state.files[name]]));
  place("state").textContent = "Running…";
  worker.postMessage({ number: ++state.asked, files, command: line(state.files, state.to) });
}

// Until Python runs, there is no answer: not that of another text, either.
function unanswered() {
  place("result").replaceChildren();
  marks([]);
}

function isBusy(busy) {
  state.busy = busy;
  clearTimeout(state.slow);
  place("stop").hidden = true;
  if (busy) state.slow = setTimeout(() => (place("stop").hidden = false), SLOW);
}

// Ends the run with its worker; another one starts, and waits for the next edit.
function stop() {
  worker.terminate();
  isBusy(false);
  Object.assign(state, { ready: false, again: false, stopped: true });
  answered(++state.asked, () => place("result").replaceChildren("Stopped. Edit the input, or choose a command, to run again."));
  worker = started();
}

function answered(number, show, found = []) {
  show();
  marks(found);
  place("state").textContent = "";
  document.body.dataset.answered = String(number);
}

// What an answer says about lines: findings of `check`, and texts that cannot be read.
function lines(json) {
  try {
    const { findings, problems } = JSON.parse(json);
    const unreadable = problems.map(({ path, message }) => ({ ...placeOf(path), severity: "error", message }));
    const shown = findings.map((each) => ({ ...each, name: "pools", severity: each.severity === "note" ? "info" : each.severity, message: `${each.code}: ${each.message}` }));
    return [...unreadable, ...(state.command === "check" ? shown : [])];
  } catch {
    return []; // an answer that is not JSON says nothing about lines
  }
}

function marks(found) {
  for (const [name, { view }] of Object.entries(editors)) {
    const { doc } = view.state;
    const shown = found.filter((each) => each.name === name && each.line).map(({ line: number, column, severity, message }) => {
      const line = doc.line(Math.min(number, doc.lines));
      return { from: Math.min(line.from + (column ?? 1) - 1, line.to), to: line.to, severity, message };
    });
    view.dispatch(setDiagnostics(view.state, shown));
  }
}

function ran({ number, json, text }) {
  const isOver = text !== undefined;
  if (isOver) isBusy(false);
  if (number === state.asked && !state.again) {
    if (!isOver && !json.startsWith("{")) return; // an error of the command, which its text tells
    answered(number, () => show(place("result"), state.command, { json, text }), lines(json));
  }
  if (isOver && state.again) ask();
}

function received({ data }) {
  if (data.failed) place("state").textContent = `Python does not start: ${data.failed}`;
  if (data.number) ran(data);
  if (!data.ready) return;
  state.ready = true;
  if (state.stopped) return;
  place("state").textContent = `Ready in ${(performance.now() / 1000).toFixed(1)} s`;
  ask();
}

function started() {
  const made = new Worker("./worker.mjs", { type: "module" });
  made.onmessage = received;
  return made;
}

function select(command) {
  state.command = command;
  for (const button of place("commands").children) {
    button.setAttribute("aria-selected", String(button.value === command));
    button.tabIndex = button.value === command ? 0 : -1;
  }
  place("editors").setAttribute("aria-labelledby", `tab-${command}`);
  for (const [name, { box }] of Object.entries(editors)) box.hidden = !textsOf(COMMANDS[command]).includes(name);
  place("version").hidden = command !== "upgrade";
  ask();
}

// The arrow keys move between tabs, as screen readers announce.
function moved(event) {
  const tabs = [...place("commands").children];
  const at = tabs.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const tab = tabs.at(to % tabs.length);
  tab.focus();
  select(tab.value);
}

function fill({ command, files, to = "" }) {
  state.to = place("to").value = to;
  for (const [name, { view }] of Object.entries(editors)) {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: files[name] ?? "" } });
  }
  clearTimeout(state.timer);
  select(command);
}

async function copy() {
  const hash = `#${await packed({ command: state.command, files: state.files, to: state.to })}`;
  window.history.replaceState(null, "", hash);
  const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  const where = isCopied ? "Link copied" : "The link is in the address bar";
  place("state").textContent = hash.length < LONG ? where : `${where}. It has ${location.href.length.toLocaleString("en")} characters: some programs cut it off`;
}

async function follow(examples) {
  const linked = await unpacked(location.hash);
  place("notice").textContent = location.hash.length > 1 && !linked ? CUT_OFF : "";
  fill(linked ?? examples[0]);
  if (!linked && !state.ready) built(examples[0]);
}

// The answer that was computed when the page was built; Python, once it runs, answers anew, with the date of today.
function built({ command, answer }) {
  show(place("result"), command, answer);
  marks(lines(answer.json));
}

async function open() {
  for (const name of Object.keys(TITLES)) editors[name] = editor(name);
  for (const [value, { title, about }] of Object.entries(COMMANDS)) {
    const button = Object.assign(document.createElement("button"), { type: "button", id: `tab-${value}`, value, textContent: title, title: `${title} ${about}`, onclick: () => select(value) });
    button.setAttribute("role", "tab");
    button.setAttribute("aria-controls", "editors");
    place("commands").append(button);
  }
  place("commands").onkeydown = moved;
  const examples = await fetch("./examples.json").then((answer) => answer.json());
  place("example").append(...examples.map(({ title }, number) => new Option(title, String(number))));
  place("example").onchange = ({ target }) => fill(examples[Number(target.value)]);
  place("link").onclick = copy;
  place("stop").onclick = stop;
  place("to").oninput = ({ target }) => {
    state.to = target.value.trim();
    later();
  };
  window.onhashchange = () => follow(examples);
  await follow(examples);
}

await open();
