// Compiles Python modules with the Python of the page: `node compile.mjs NODE_MODULES SOURCE OUT.zip`. Compiling in the browser would take seconds at each visit.
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [modules, source, out] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${modules}/pyodide/pyodide.mjs`).href);
const python = await loadPyodide();
python.mountNodeFS("/source", source);
python.mountNodeFS("/out", resolve(out, ".."));
python.globals.set("out", `/out/${out.split("/").at(-1)}`);
python.runPython(`
import py_compile, zipfile
from pathlib import Path

with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    for file in sorted(path for path in Path("/source").rglob("*") if path.is_file()):
        name = file.relative_to("/source")
        if file.suffix == ".py":
            py_compile.compile(str(file), cfile="/tmp/module.pyc", dfile=str(name), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
            archive.write("/tmp/module.pyc", str(name.with_suffix(".pyc")))
        else:
            archive.write(file, str(name))
`);
