"""Every check of the project: `nox` runs the default sessions, `nox -l` lists all of them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_venv = "yes"
nox.options.error_on_external_run = True
nox.options.error_on_missing_interpreters = False
nox.options.sessions = [
    "format",
    "lint",
    "typecheck",
    "security_scan",
    "unit_tests",
    "integration_tests",
    "coverage_report",
]

BUILD = Path("build")
COVERAGE = BUILD / "coverage"
RESULTS = BUILD / "results"
PROJECT = nox.project.load_toml("pyproject.toml")


def _offer_pyenv_versions() -> None:
    """Let pyenv's `python3.12` and the like work beside its global Python, which stays the first."""
    pyenv = shutil.which("pyenv")
    if pyenv is None or "PYENV_VERSION" in os.environ:
        return
    ask = {"capture_output": True, "text": True, "check": False}
    current = subprocess.run([pyenv, "version-name"], **ask).stdout.strip().split(":")
    known = subprocess.run([pyenv, "versions", "--bare"], **ask).stdout.split()
    newest_last = [name for name in known if re.fullmatch(r"3\.\d\d\.\d+", name) and name not in current]
    os.environ["PYENV_VERSION"] = ":".join([*current, *reversed(newest_last)])


def _is_here(version: str) -> bool:
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        return True
    program = shutil.which(f"python{version}")
    return program is not None and subprocess.run([program, "-c", ""], capture_output=True).returncode == 0


_offer_pyenv_versions()
SUPPORTED = nox.project.python_versions(PROJECT)
HERE = [version for version in SUPPORTED if _is_here(version)]
LOWEST = HERE[0] if HERE else f"{sys.version_info[0]}.{sys.version_info[1]}"
PYTHONS = SUPPORTED if HERE else [LOWEST]  # nox skips, with a note, those that are not here


def _install(session: nox.Session, *groups: str, package: bool = False) -> None:
    requirements = nox.project.dependency_groups(PROJECT, *groups)
    session.install(*requirements, *(["-e", ".[all]"] if package else []))


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _measured(session: nox.Session) -> dict[str, str]:
    """The environment in which a session's tests are measured: its data lie in a folder of its own."""
    return {"COVERAGE_FILE": str(_fresh(COVERAGE / session.name.split("-")[0]).resolve() / ".coverage")}


@nox.session(python=LOWEST)
def format(session: nox.Session) -> None:
    """Format the code (ruff); with CI set, only check that it is formatted."""
    _install(session, "lint")
    session.run("ruff", "format", *(["--check", "--diff"] if "CI" in os.environ else []), ".")


@nox.session(python=LOWEST)
def lint(session: nox.Session) -> None:
    """Lint the code (ruff)."""
    _install(session, "lint")
    session.run("ruff", "check", *session.posargs, ".")


@nox.session(python=LOWEST)
def typecheck(session: nox.Session) -> None:
    """Check the types (pyright; strict on src and features/lib); a warning fails too."""
    _install(session, "typecheck", "test", package=True)
    options = ["--project", "pyproject.toml", "--warnings", *session.posargs]
    session.run("pyright", *options, env={"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"})


@nox.session(python=LOWEST)
def security_scan(session: nox.Session) -> None:
    """Look for unsafe code (bandit)."""
    _install(session, "security")
    session.run("bandit", "--quiet", "--recursive", "--configfile", "pyproject.toml", "src")


@nox.session(python=PYTHONS)
def unit_tests(session: nox.Session) -> None:
    """Run the features (behave), on the lowest Python with coverage; `-- PATH…` or other options of behave narrow."""
    _install(session, "test", package=True)
    results = _fresh(RESULTS / session.name)
    options = ["--junit", f"--junit-directory={results}", *session.posargs]
    module = "behave" if session.posargs else "features.lib.parallel"
    if session.python == LOWEST:
        session.run("coverage", "run", "-m", module, *options, env=_measured(session))
    else:
        session.run("python", "-m", module, *options)


@nox.session(python=LOWEST)
def integration_tests(session: nox.Session) -> None:
    """Run the Robot Framework suites, with coverage of the programs they start; `-- --test NAME` narrows."""
    _install(session, "test", package=True)
    results = _fresh(RESULTS / session.name)
    options = ["--outputdir", str(results), "--xunit", "xunit.xml", "--console", "dotted"]
    session.run("coverage", "run", "-m", "robot", *options, *session.posargs, "robot", env=_measured(session))


@nox.session(python=LOWEST)
def coverage_report(session: nox.Session) -> None:
    """Combine what both kinds of tests covered; lines and branches must each reach `fail_under`."""
    _install(session, "coverage")
    env = {"COVERAGE_FILE": str(COVERAGE / ".coverage")}
    folders = [str(folder) for folder in sorted(COVERAGE.glob("*_tests"))]
    if not folders:
        session.error("There is no data: run the sessions unit_tests and integration_tests first.")
    session.run("coverage", "combine", "--keep", "--quiet", *folders, env=env)
    session.run("coverage", "html", "--quiet", "--directory", str(BUILD / "coverage_html"), "--fail-under=0", env=env)
    session.run("coverage", "json", "--quiet", "-o", str(COVERAGE / "coverage.json"), "--fail-under=0", env=env)
    session.run("coverage", "report", "--fail-under=0", env=env)
    totals = json.loads((COVERAGE / "coverage.json").read_text(encoding="utf-8"))["totals"]
    least = PROJECT["tool"]["coverage"]["report"]["fail_under"]
    for kind in ("statements", "branches"):
        covered = totals[f"percent_{kind}_covered"]
        session.log(f"{kind}: {covered:.1f} %")
        if covered < least:
            session.error(f"{covered:.1f} % of the {kind} are covered, fewer than {least} %.")


@nox.session(python=LOWEST)
def benchmarks(session: nox.Session) -> None:
    """Print what runs cost against a hand-written loop; `-- --peers` other libraries too, `-- --rows NAME…` fewer."""
    session.install("-e", ".")
    session.run("python", "-m", "benchmarks", *session.posargs)


@nox.session(python=LOWEST)
def fault_matrix(session: nox.Session) -> None:
    """Print every ending of a run, with what the bill says of it, and counts; `-- NAME…` only these endings."""
    _install(session, "test", package=True)
    session.run("python", "-m", "features.lib.matrix", *session.posargs)


@nox.session(python=LOWEST)
def endurance(session: nox.Session) -> None:
    """Draw 20,000 stories for the ledger, and have 5,000 clients leave a web server."""
    _install(session, "test", package=True)
    session.run("python", "-m", "features.lib.ledger_property", "20000")
    env = {"CLEVERACTORS_DISCONNECTS": "5000"}
    session.run("python", "-m", "behave", "features/disconnect.web.feature", env=env)


@nox.session(python=LOWEST)
def docs(session: nox.Session) -> None:
    """Build the site of the documentation into build/site, look for dead links, and run what the pages show."""
    _install(session, "docs", "test", package=True)
    session.run("zensical", "build", "--strict", "--clean")
    session.run("python", "-m", "features.lib.docs_site", str(BUILD / "site"))
    session.run("python", "-m", "behave", "features/docs.pages.feature")


@nox.session(python=LOWEST, reuse_venv=False)
def build(session: nox.Session) -> None:
    """Build sdist and wheel, and try each in an environment of its own: the demo, and a first actor with its test."""
    _install(session, "build")
    dist = _fresh(BUILD / "dist")
    session.run("python", "-m", "build", "--outdir", str(dist))
    for kind, pattern in (("wheel", "*.whl"), ("sdist", "*.tar.gz")):
        _try(session, _fresh(BUILD / f"try_{kind}").resolve(), next(dist.glob(pattern)).resolve())


def _try(session: nox.Session, home: Path, package: Path) -> None:
    """Install a package into a fresh environment, far from the sources, and do what its first user does."""
    session.run("python", "-m", "venv", str(home / "venv"))
    programs = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python, cleveractors = str(programs / "python"), str(programs / "cleveractors")
    session.run(python, "-m", "pip", "install", "--quiet", f"{package}[cli]", external=True)
    probe = "import importlib.resources as r, cleveractors as c; assert r.files(c).joinpath('py.typed').is_file()"
    with session.chdir(home):
        session.run(python, "-c", probe, external=True)
        session.run(cleveractors, "--help", external=True)
        session.run(cleveractors, "demo", external=True)
        session.run(cleveractors, "init", "first", external=True)
        session.run(cleveractors, "validate", "first/actor.yaml", "--tools", "first/tools.py", external=True)
        session.run(python, "first/test_actor.py", external=True)
