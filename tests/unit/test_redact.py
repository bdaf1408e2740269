"""Secrets never reach a record; what is no secret stays as it was."""

import os
import shlex
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proctor._secrets.masking import Redactor
from proctor._secrets.names import may_hold
from proctor.redact import redact_argv, redact_text

SECRET = "hunter2-Ab3!x"

WORD_FORMS = {
    "option": ["deploy", "--token", "{}"],
    "option that may name a folder": ["login", "--pwd", "{}"],
    "the shortest name": ["login", "PW={}"],
    "name and colon": ["login", "token:{}"],
    "option with equals": ["deploy", "--password={}"],
    "option in capitals": ["deploy", "--API-KEY", "{}"],
    "option in camel case": ["deploy", "--authToken={}"],
    "single dash": ["keytool", "-storepass", "{}"],
    "single dash with hyphens": ["tool", "-api-key", "{}"],
    "go flag": ["tool", "-password={}"],
    "mysql": ["mysql", "-uroot", "-p{}"],
    "mysqldump by path": ["/usr/bin/mysqldump", "-p{}", "db"],
    "mysqladmin in a cluster": ["mysqladmin", "-vp{}"],
    "sshpass": ["sshpass", "-p", "{}", "ssh", "host"],
    "sshpass attached": ["sshpass", "-p{}", "ssh", "host"],
    "curl user": ["curl", "-u", "bob:{}", "https://example.org"],
    "curl user in a cluster": ["curl", "-fsSLu", "bob:{}", "https://example.org"],
    "curl user attached": ["curl", "-ubob:{}", "https://example.org"],
    "curl user, long": ["curl", "--user", "bob:{}"],
    "curl bearer": ["curl", "--oauth2-bearer", "{}"],
    "curl header": ["curl", "-H", "Authorization: Bearer {}"],
    "curl header attached": ["curl", "-HAuthorization: Bearer {}"],
    "header, long": ["curl", "--header=X-Api-Key: {}"],
    "proxy header": ["curl", "-H", "proxy-authorization: Basic {}"],
    "cookie header": ["curl", "-H", "Cookie: a=b; session={}"],
    "curl cookie": ["curl", "-b", "session={}"],
    "header without a blank": ["http", "example.org", "Authorization:{}"],
    "header in words": ["echo", "Authorization:", "Bearer", "{}"],
    "git header": ["git", "-c", "http.extraHeader=Authorization: Basic {}", "fetch"],
    "redis": ["redis-cli", "-a", "{}", "ping"],
    "docker login": ["docker", "login", "-u", "bob", "-p", "{}"],
    "gh secret": ["gh", "secret", "set", "NAME", "-b", "{}"],
    "gh secret, long": ["gh", "secret", "set", "NAME", "--body", "{}"],
    "npm config": ["npm", "config", "set", "//registry.example.org/:_authToken", "{}"],
    "npm option": ["npm", "publish", "--//registry.example.org/:_authToken={}"],
    "aws configure": ["aws", "configure", "set", "aws_secret_access_key", "{}"],
    "openssl": ["openssl", "enc", "-k", "{}"],
    "openssl, long": ["openssl", "rsa", "-passin", "pass:{}"],
    "openssl, prefix": ["openssl", "rsa", "pass:{}"],
    "any secret by name": ["kubectl", "create", "secret", "generic", "x", "--from-literal=a={}"],
    "any secret set": ["fly", "secrets", "set", "DSN={}"],
    "ssh key": ["ssh-keygen", "-q", "-N", "{}"],
    "shared access": ["curl", "https://example.org/?sv=1&sig={}"],
    "zip": ["zip", "-P", "{}", "a.zip", "a"],
    "seven zip": ["7z", "x", "-p{}"],
    "through wrappers": ["sudo", "timeout", "5", "mysql", "-p{}"],
    "variable": ["env", "API_KEY={}", "pytest"],
    "variable with digits": ["env", "PASSWORD2={}", "pytest"],
    "variable, glued": ["env", "GITHUBTOKEN={}", "pytest"],
    "variable, lower case": ["env", "db_password={}", "pytest"],
    "export": ["export", "AWS_SECRET_ACCESS_KEY={}"],
    "docker variable": ["docker", "run", "-e", "PASSWORD={}", "image"],
    "docker variable attached": ["docker", "run", "-ePASSWORD={}", "image"],
    "docker variable, long": ["docker", "run", "--env=MY_SECRET={}", "image"],
    "build argument": ["docker", "build", "--build-arg", "NPM_TOKEN={}", "."],
    "literal": ["kubectl", "create", "--from-literal=password={}"],
    "definition": ["cmake", "-DAPI_KEY={}"],
    "java property": ["java", "-Ddb.password={}", "Main"],
    "credential": ["env", "GOOGLE_CREDENTIALS={}", "x"],
    "auth": ["env", "REDISCLI_AUTH={}", "x"],
    "mysql variable": ["env", "MYSQL_PWD={}", "x"],
    "slack": ["curl", "https://hooks.slack.com/services/T000/B000/{}"],
    "private key": ["tool", "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----"],
    "private key cut short": ["tool", "-----BEGIN PRIVATE KEY-----\n{}"],
    "private key in words": [
        *("echo", "-----BEGIN", "RSA", "PRIVATE", "KEY-----", "{}", "{}"),
        *("-----END", "RSA", "PRIVATE", "KEY-----"),
    ],
    "url": ["git", "clone", "https://bob:{}@example.org/x"],
    "url, token alone": ["git", "clone", "https://{}@example.org/x"],
    "url, token as user": ["git", "clone", "https://{}:x-oauth-basic@example.org/x"],
    "url of a database": ["psql", "postgresql://bob:{}@localhost/db"],
    "pip url": ["pip", "install", "git+https://bob:{}@example.org/x.git"],
    "connection string": ["sqlcmd2", "Server=x;Password={}"],
    "conninfo": ["psql", "host=localhost password={} dbname=x"],
    "mount options": ["mount", "-o", "username=bob,password={}"],
    "query": ["curl", "https://example.org/?page=1&api_key={}"],
    "query, first": ["curl", "https://example.org/?access_token={}"],
    "form": ["curl", "-d", "user=bob&password={}"],
    "json": ["curl", "-d", '{{"user": "bob", "password": "{}"}}'],
    "json without blanks": ["curl", "-d", '{{"apiKey":"{}","n":1}}'],
    "json within": ["curl", '--data={{"auth": {{"user": "bob", "key": "{}"}}}}'],
    "json list": ["curl", "-d", '{{"tokens": ["a", "{}"]}}'],
    "json escaped": ["curl", "-d", '{{"body": "{{\\"secret\\": \\"{}\\"}}"}}'],
    "yaml": ["helm", "install", "user: bob\npassword: {}\nport: 1"],
    "yaml in a line": ["tool", "{{user: bob, password: {}}}"],
    "yaml in prose": ["echo", "the password: {} is old"],
    "netrc": ["tool", "machine example.org login bob password {}"],
    "python tuple": ["python", "-c", "get(url, auth=('bob', '{}'))"],
    "ini": ["tool", "[db]\npassword = {}\n"],
    "python": ["python", "-c", "import x; x.run(password='{}')"],
    "python prefix": ["python", "-c", 'token = f"{}"'],
    "python environ": ["python", "-c", "os.environ['API_TOKEN'] = '{}'"],
    "python argv": ["python", "-c", "run(['mysql', '-p{}'])"],
    "python options": ["python", "-c", 'run(["x", "--token", "{}"])'],
    "ruby": ["ruby", "-e", "x('password' => '{}')"],
    "go": ["go", "run", 'token := "{}"'],
}

LINE_FORMS = {
    "option": "deploy --token {} && pytest -q | tail -3",
    "option quoted": "deploy --token '{}' | tee log",
    "option double-quoted": 'deploy --password="{}"; pytest',
    "variable": "PASSWORD={} pytest -q 2>&1 | tail -5",
    "variable quoted": "cd /x && API_KEY='{}' pytest -q",
    "export": 'export GH_TOKEN="{}"; make test',
    "mysql": "mysql -uroot -p{} db < dump.sql",
    "mysql quoted": "mysql -p'{}' db",
    "curl": "curl -sSu bob:{} https://example.org | jq .",
    "header": "curl -H 'Authorization: token {}' https://example.org",
    "header unquoted": "echo Authorization: Bearer {} | cat",
    "url": "git clone https://bob:{}@example.org/x && cd x",
    "json": 'curl -d \'{{"password": "{}"}}\' https://example.org',
    "query": 'curl "https://example.org/?token={}&x=1"',
    "substitution": 'deploy "$(login --password {})"',
    "backticks": "x=`login --password {}`",
    "echoed": "SECRET=$(echo {} | base64) pytest",
    "here document": "cat > .env << EOF\nAPI_TOKEN={}\nEOF\npytest",
    "shell in a shell": "sh -c \"mysql -p'{}' db\" | tail",
    "deeper": 'bash -c "sh -c \\"deploy --token {}\\""',
    "with a variable beside": 'bash -c "echo $X \\"--token\\" \\"{}\\""',
}

TOKENS = [
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "gho_16C7e42F292c6912E7710c838347Ae178B4a",
    "ghs_16C7e42F292c6912E7710c838347Ae178B4a",
    "github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ0123456789",
    "glpat-ABCdef1234567890xyzw",
    "xoxb-123456789012-abcdefABCDEF",
    "sk-abcdefghijklmnopqrstuvwxyz012345",
    "sk-ant-api03-abcdefghijklmnop",
    "sk-proj-Ab3dEf6hIj9lMn",
    "AKIAIOSFODNN7EXAMPLE",
    "ASIAIOSFODNN7EXAMPLE",
    "AIzaSyA1234567890abcdefghijklmnopqrstuv",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "pypi-AgEIcHlwaS5vcmcCJDAwMDAwMDAw",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g",
    "hf_abcdefghijklmnopqrstuvwxyzABCD",
    "dop_v1_0123456789abcdef0123456789abcdef",
    "SG.abcdefghijklmnopqrstuv.0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
]

ORDINARY = Path(__file__).parent.parent / "assets" / "ordinary-commands.txt"


def ordinary() -> list[list[str]]:
    return [shlex.split(line) for line in ORDINARY.read_text().splitlines()]


def joined(argv: list[str]) -> str:
    return "\0".join(argv)


def test_the_list_of_ordinary_commands_is_long_enough() -> None:
    assert len(ordinary()) >= 100


@pytest.mark.parametrize("argv", ordinary(), ids=" ".join)
def test_an_ordinary_command_stays_as_it_is(argv: list[str]) -> None:
    assert redact_argv(argv) == (argv, 0)


@pytest.mark.parametrize("form", WORD_FORMS.values(), ids=WORD_FORMS)
def test_a_secret_is_masked_in_every_form(form: list[str]) -> None:
    masked, count = redact_argv([word.format(SECRET) for word in form])
    assert SECRET not in joined(masked)
    assert "***" in joined(masked)
    assert len(masked) == len(form)
    assert count >= 1


@pytest.mark.parametrize("form", LINE_FORMS.values(), ids=LINE_FORMS)
def test_a_secret_is_masked_in_a_shell_line(form: str) -> None:
    masked, count = redact_argv(["bash", "-c", form.format(SECRET)])
    assert SECRET not in masked[2]
    assert masked[:2] == ["bash", "-c"]
    assert count >= 1


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("around", ["{}", "x={}", "a {} b", '["{}"]', "https://h/{}/x", "'{}',"])
def test_a_token_of_a_known_shape_is_masked_wherever_it_stands(token: str, around: str) -> None:
    masked, count = redact_argv(["tool", around.format(token)])
    assert token not in masked[1]
    assert count == 1


WORD_SECRETS = st.text(
    st.characters(
        codec="utf-8",
        exclude_categories=["Cc"],
        exclude_characters="\0'\"\\\r\n\t &;,{}[]()<>|`$#@/:?=%-",
    ),
    min_size=6,
).map(lambda text: f"Z{text.replace('*', 'x')}9q")
ANY_SECRETS = st.text(st.characters(exclude_characters="\0"), min_size=6).map(
    lambda text: f"Z{text.replace('*', 'x')}9q"
)
WHOLE_VALUE = [
    *("option", "option with equals", "single dash", "mysql", "sshpass", "curl user", "redis"),
    *("curl bearer", "curl header", "header, long", "cookie header", "docker login", "gh secret"),
    *("variable", "export", "docker variable", "docker variable, long", "definition"),
    *("java property", "literal", "npm config", "zip", "git header"),
]


@given(secret=WORD_SECRETS, form=st.sampled_from(sorted(WORD_FORMS)))
def test_a_planted_word_survives_in_no_form(secret: str, form: str) -> None:
    argv = [word.format(secret) for word in WORD_FORMS[form]]
    assert secret not in joined(redact_argv(argv)[0])


@given(secret=WORD_SECRETS, form=st.sampled_from(sorted(LINE_FORMS)))
def test_a_planted_word_survives_in_no_line(secret: str, form: str) -> None:
    assert secret not in redact_text(LINE_FORMS[form].format(secret))


@given(secret=ANY_SECRETS, form=st.sampled_from(WHOLE_VALUE))
@example(secret="Z a\udcff'\"\n\\$(x) &;9q", form="variable")
def test_a_value_of_any_characters_survives_in_no_argument(secret: str, form: str) -> None:
    argv = [word.format(secret) for word in WORD_FORMS[form]]
    assert secret not in joined(redact_argv(argv)[0])


@given(
    secret=WORD_SECRETS,
    form=st.sampled_from(sorted(WORD_FORMS)),
    before=st.lists(st.sampled_from(["sudo", "-v", "x", "tests/a.py"])),
    after=st.lists(st.sampled_from(["-v", "x", "--flag", "'", "a b"])),
)
def test_a_planted_word_survives_at_no_position(
    secret: str, form: str, before: list[str], after: list[str]
) -> None:
    argv = [*before, *(word.format(secret) for word in WORD_FORMS[form]), *after]
    assert secret not in joined(redact_argv(argv)[0])


PIECES = st.sampled_from(
    [
        *("token", "--password", "=", ":", " ", "'", '"', "\\", "$(", ")", "`", "mysql", "-p", "a"),
        *("https://", "@", "Authorization:", "Bearer ", "{", "}", "[", "]", ",", ";", "***", "x1"),
        *(
            "-----BEGIN RSA PRIVATE KEY-----",
            "-----END",
            "\n",
            "::",
            "curl",
            "-u",
            "set",
            "PRIVATE",
        ),
        *("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "API_KEY=", "-", "\udcff", "*", '""'),
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@given(st.lists(TEXTS | st.text(), max_size=6))
def test_masking_twice_changes_nothing(argv: list[str]) -> None:
    masked, _ = redact_argv(argv)
    assert redact_argv(masked) == (masked, 0)


@given(TEXTS)
def test_masking_a_text_twice_changes_nothing(text: str) -> None:
    masked = redact_text(text)
    assert redact_text(masked) == masked


@given(TEXTS | st.text())
def test_what_the_first_look_lets_pass_holds_nothing(text: str) -> None:
    if not may_hold(text):
        assert Redactor(frozenset(), ()).words([text]) == [text]


@given(st.lists(st.text(), max_size=6))
def test_the_number_of_arguments_never_changes(argv: list[str]) -> None:
    assert len(redact_argv(argv)[0]) == len(argv)


def test_the_name_stays_and_the_value_goes() -> None:
    assert redact_argv(["x", "--token=abc", "--password", "abc"]) == (
        ["x", "--token=***", "--password", "***"],
        2,
    )


def test_a_shell_line_keeps_its_shape() -> None:
    line = "cd /x && API_KEY=\"a b\" pytest -q --token 'c d' 2>&1 | tail -3; echo $?"
    assert redact_text(line) == (
        "cd /x && API_KEY=\"***\" pytest -q --token '***' 2>&1 | tail -3; echo $?"
    )


def test_options_in_a_variable_stay_apart() -> None:
    argv = ["env", "PYTEST_ADDOPTS=--token=abc -k foo", "pytest"]
    assert redact_argv(argv) == (["env", "PYTEST_ADDOPTS=--token=*** -k foo", "pytest"], 1)


def test_an_option_after_an_option_is_no_value() -> None:
    argv = ["gh", "auth", "login", "--with-token", "--hostname", "example.org"]
    assert redact_argv(argv) == (argv, 0)


def test_a_value_may_begin_with_a_dash() -> None:
    assert redact_argv(["x", "--token", "-Ab3dEf"]) == (["x", "--token", "***"], 1)


def test_text_that_is_not_utf8_survives() -> None:
    word = os.fsdecode(b"caf\xe9")
    assert redact_argv(["x", word, "--token", word]) == (["x", word, "--token", "***"], 1)


def test_a_project_names_further_options_and_variables() -> None:
    argv = ["x", "--deploy-code", "abc", "LICENCE_NR=def"]
    assert redact_argv(argv) == (argv, 0)
    assert redact_argv(argv, flags=("--deploy-code",), names=("LICENCE",)) == (
        ["x", "--deploy-code", "***", "LICENCE_NR=***"],
        2,
    )
    assert redact_text("LICENCE_NR=def", names=("zzz", "LICENCE")) == "LICENCE_NR=***"


def test_the_program_can_be_named_where_argv_does_not_say_it() -> None:
    assert redact_argv(["-pabc"], command="mysql") == (["-p***"], 1)
    assert redact_argv(["-pabc"], command="pytest") == (["-pabc"], 0)


def test_an_empty_argv_is_nothing() -> None:
    assert redact_argv([]) == ([], 0)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('say "password = x', 'say "password = ***'),
        ("password = 'it\\'s long'", "password = '***'"),
        ('token = """a "b" c"""', 'token = """***"""'),
        ('{"secrets": [1, [2], 3], "n": 1}', '{"secrets": [***], "n": 1}'),
        ('{"secrets": [1, 2', '{"secrets": [***'),
        ('"url=https://h/?token=abc\\"x', '"url=https://h/?token=***\\"x'),
        ("TOKEN=`cat x` pytest", "TOKEN=*** pytest"),
        ("TOKEN=`cat x", "TOKEN=***"),
        ("x --token `cat x` | tail", "x --token *** | tail"),
        ('token gh"p_16C7e42F292c6912E7"', "token ***"),
        ("{'secret': 'Bearer abcdef123'}", "{'secret': '***'}"),
        ("TOKEN=${X:-a b} pytest", "TOKEN=*** pytest"),
        ("TOKEN=$(f (x) y) pytest", "TOKEN=*** pytest"),
        ("see -----BEGIN RSA of a password", "see -----BEGIN RSA of a password"),
        ("-----BEGIN CERTIFICATE----- token", "-----BEGIN CERTIFICATE----- token"),
        ("a bearer token, a basic test", "a bearer token, a basic test"),
        ("use Basic dXNlcjpwYXNz== here", "use Basic *** here"),
        ("x sk-learnsklearnsklearnsk y", "x *** y"),
        ("x sk-learn-and-other-libraries y", "x sk-learn-and-other-libraries y"),
        ("https://ghp_16C7e42F292c6912E7:pw@h/", "https://***:***@h/"),
        ("ftp://bob@h/ https://h:80/a@b", "ftp://bob@h/ https://h:80/a@b"),
        ("postgres://bob:a/b#c@h/db", "postgres://bob:***@h/db"),
        ("redis://aVeryLongUserThatIsAToken@h", "redis://***@h"),
        ("https://:@h/?password=", "https://:@h/?password="),
        ("--password '' next", "--password '' next"),
        ('["--password", "", "next"]', '["--password", "", "next"]'),
        ("'a'b\"--token c\"", "'a'b\"--token ***\""),
        ("set token abc; token def", "set token ***; token def"),
        ("x-api-key: abc; y", "x-api-key: ***; y"),
        ("echo X-Api-Key: true && ls", "echo X-Api-Key: true && ls"),
        ("Cookie: a=1; b=2\nnext: line", "Cookie: ***\nnext: line"),
        ("auth:: x token :: y", "auth:: x token :: y"),
    ],
)
def test_a_text_is_masked_no_further_than_the_secret(text: str, masked: str) -> None:
    assert redact_text(text) == masked


def test_a_long_text_takes_no_long_time_however_odd_it_is() -> None:
    for odd in (
        "token:",
        "$(token=",
        "://a",
        "((",
        "a::b[token=1;",
        "'\"",
        "-----BEGIN ",
        "https://",
        "x://a@",
    ):
        redact_text(odd * (100_000 // len(odd)))


def test_a_key_in_words_may_have_another_label() -> None:
    argv = ["echo", "-----BEGIN", "CERTIFICATE-----", "MIIE", "-----END", "CERTIFICATE-----"]
    assert redact_argv(argv) == (argv, 0)
