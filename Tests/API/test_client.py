# SPDX-License-Identifier: MIT
"""A client that openapi-python-client makes of the description: no warning comes up, people can read its names, and it
works."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

# A number in a name stands for a name that is missing.
NUMBERED = re.compile(r"\d")
COMPLAINT = re.compile(r"warning|error|unable|skipping", re.IGNORECASE)


@pytest.fixture(scope="module", params=["openapi.json", "models/login/openapi.json"])
def package(request, url, tmp_path_factory):
    """The name of the client's package, which can be imported. It is made of the whole description, and of one view
    model's."""
    directory = tmp_path_factory.mktemp("client")
    name = "client_of_" + re.sub(r"\W", "_", request.param)
    programs = Path(sys.executable).parent
    result = subprocess.run(
        [programs / "openapi-python-client", "generate", "--url", f"{url}/{request.param}", "--meta", "none",
         "--output-path", directory / name, "--config", Path(__file__).with_name("client.yaml"), "--fail-on-warning"],
        # The generator formats its code with ruff, which stands beside it.
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
        timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(result.stdout)
    assert result.returncode == 0
    assert not COMPLAINT.search(result.stdout), result.stdout
    sys.path.insert(0, str(directory))
    yield name
    sys.path.remove(str(directory))


@pytest.fixture(scope="module")
def imported(package):
    """Imports a module of the client."""
    return lambda name: importlib.import_module(f"{package}.{name}")


def test_its_classes_have_names_that_a_person_can_read(imported):
    models = imported("models")
    names = models.__all__
    assert {"LoginState", "LoginStateFrame", "LoginPatchFrame", "LoginPatchOutcome", "Opening", "Problem"} <= set(names)
    files = [path.stem for path in Path(models.__file__).parent.glob("*.py")]
    assert len(files) > len(names) / 2
    assert not [name for name in [*names, *files] if NUMBERED.search(name)]


def test_its_functions_have_names_that_a_person_can_read(imported):
    api = Path(imported("api").__file__).parent
    files = {path.stem for path in api.glob("*/*.py")}
    assert {"login_open", "login_read", "login_perform_username_did_change", "login_set_username"} <= files
    assert not [name for name in files if re.search(r"(type|item|body|response)_?\d", name)]


@pytest.mark.parametrize("means", ["cookie", "bearer"])
def test_it_opens_a_session_performs_an_action_and_reads_the_state(url, imported, means):
    models, client = imported("models"), imported("client").Client(base_url=url)
    opened = imported("api.login.login_open").sync(
        client=client, body=models.Opening(auth=models.OpeningAuth(means)))
    assert isinstance(opened, models.LoginOpened)
    assert opened.state.username == ""
    if means == "bearer":
        client = imported("client").AuthenticatedClient(base_url=url, token=opened.token)
    session = opened.url.rpartition("/")[2]

    # The first change touches so much that the state is shorter than a patch. The second changes one value.
    perform = imported("api.login.login_perform_username_did_change")
    first = perform.sync(session, client=client, body="Maruko", idempotency_key="typing/1")
    assert isinstance(first, models.LoginStateOutcome)
    assert (first.from_, first.state.username, first.result) == (opened.version, "Maruko", None)
    second = perform.sync(session, client=client, body="Momoko", idempotency_key="typing/2")
    assert isinstance(second, models.LoginPatchOutcome)
    assert second.patch == [models.ReplaceOperation(op="replace", path="/username", value="Momoko")]

    state = imported("api.login.login_read").sync(session, client=client)
    assert isinstance(state, models.LoginSnapshot)
    assert (state.version, state.state.username) == (second.to, "Momoko")

    both = imported("api.login.login_perform_many").sync(
        session, client=client,
        body=[models.LoginSetPassword(set_="/password", value="secret"), models.LoginDoLoginTouched(do="/loginTouched")])
    assert isinstance(both, (models.LoginBatchPatchOutcome, models.LoginBatchStateOutcome))
    assert both.results == [None, None]

    # A login gives the client a new credential.
    if means == "bearer":
        assert both.token != client.token
        client = imported("client").AuthenticatedClient(base_url=url, token=both.token)
    frame = imported("api.login.login_changes").sync(session, client=client, since=opened.version)
    assert isinstance(frame, (models.LoginPatchFrame, models.LoginStateFrame))
    assert frame.to == both.to

    refused = imported("api.login.login_read").sync("A" * 22, client=client)
    assert isinstance(refused, models.Problem)
    assert (refused.status, refused.type_) == (404, "/problems/no-session")
