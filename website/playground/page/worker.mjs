// Runs the command line of nodepools in a worker, so that the page stays responsive.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const HOME = "/site";

async function started() {
  const [python, files, list, program] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    fetch("./python.zip").then((answer) => answer.arrayBuffer()),
    fetch("./tables.json").then((answer) => answer.json()),
    fetch("./worker.py").then((answer) => answer.text()),
  ]);
  python.unpackArchive(new Uint8Array(files), "zip", { extractDir: HOME });
  for (const name of list) {
    // A table is fetched when a command first reads it.
    python.FS.createLazyFile(`${HOME}/nodepools/data`, name, new URL(`./tables/${name}`, import.meta.url).href, true, false);
  }
  python.runPython(program);
  return python.globals.get("answer");
}

const answer = started();
answer.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error) }),
);

onmessage = async ({ data }) => {
  const run = await answer;
  try {
    postMessage({ number: data.number, text: run(JSON.stringify(data)) });
  } catch (error) {
    postMessage({ number: data.number, text: JSON.stringify({ json: "", text: `This is a bug of nodepools:\n${error}` }) });
  }
};
