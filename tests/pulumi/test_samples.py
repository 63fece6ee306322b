"""The samples of docs/guides/other-languages.md are compiled with the SDKs that the CLI generates from the schema."""

import json
import os
import re
import shutil
import subprocess

import pytest

from tests.pulumi.prerequisites import require_engine

CERTAIN_END = 1500
TSC = {
    "strict": True,
    "noEmit": True,
    "skipLibCheck": True,
    "module": "commonjs",
    "target": "es2020",
    "baseUrl": ".",
    "paths": {"@acme/nodepools": ["./nodejs"]},
}
PACKAGES = {"@pulumi/pulumi": "3.265.0", "typescript": "5.9.3", "@types/node": "22.19.1"}
GO_SDK = "github.com/pulumi/pulumi/sdk/v3@v3.274.1"


def ended(folder, *command):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=CERTAIN_END)


def fetched(folder, *command):
    """Packages of a registry, without which the test is skipped."""
    done = ended(folder, *command)
    if done.returncode:
        pytest.skip(f"{' '.join(command[:3])}: {(done.stdout + done.stderr).strip()[-300:]}")


@pytest.fixture
def sample(project, tmp_path):
    """The sample in a language, next to the SDK, whose package has the name that it has for the owner `acme`."""

    def made(language, host, *tools):
        require_engine()
        missing = [tool for tool in (f"pulumi-language-{host}", *tools) if shutil.which(tool) is None]
        if missing:
            pytest.skip(f"not on PATH: {', '.join(missing)}")
        schema = tmp_path / "schema.json"
        schema.write_text(json.dumps({**json.loads((project / "plugin/schema.json").read_text()), "namespace": "acme"}))
        environment = {**os.environ, "PULUMI_HOME": str(tmp_path / "home"), "PULUMI_SKIP_UPDATE_CHECK": "true"}
        command = ["pulumi", "package", "gen-sdk", str(schema), "--language", host, "--out", str(tmp_path)]
        subprocess.run(command, env=environment, capture_output=True, check=True, timeout=CERTAIN_END)
        text = (project / "docs/guides/other-languages.md").read_text()
        return tmp_path, re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)[1]

    return made


def test_the_typescript_sample_compiles(sample):
    folder, code = sample("typescript", "nodejs", "npm")
    (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": PACKAGES}))
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": TSC, "files": ["index.ts"]}))
    fetched(folder, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
    (folder / "index.ts").write_text(code)
    compiled = ended(folder, "node_modules/.bin/tsc", "-p", ".")
    assert compiled.returncode == 0, compiled.stdout
    (folder / "index.ts").write_text(code.replace("vmSize", "vmSzie"))
    assert "'vmSzie' does not exist in type" in ended(folder, "node_modules/.bin/tsc", "-p", ".").stdout


def test_the_go_sample_compiles(sample):
    folder, code = sample("go", "go", "go")
    module = folder / "module"
    shutil.copytree(folder / "go" / "nodepools", module / "sdk" / "go" / "nodepools")
    (module / "shop").mkdir()
    (module / "shop" / "main.go").write_text(code)
    ended(module, "go", "mod", "init", "github.com/acme/pulumi-nodepools")
    ended(module, "go", "mod", "edit", "-require", GO_SDK)
    fetched(module, "go", "mod", "tidy")
    compiled = ended(module, "go", "vet", "./shop")
    assert compiled.returncode == 0, compiled.stderr
    (module / "shop" / "main.go").write_text(code.replace("VmSize", "VmSzie"))
    assert "unknown field VmSzie" in ended(module, "go", "vet", "./shop").stderr


def test_the_csharp_sample_compiles(sample):
    folder, code = sample("csharp", "dotnet", "dotnet")
    (folder / "dotnet" / "Program.cs").write_text(code)
    fetched(folder / "dotnet", "dotnet", "restore")
    compiled = ended(folder / "dotnet", "dotnet", "build", "--no-restore")
    assert compiled.returncode == 0, compiled.stdout
