"""Makes up secrets at run time: true to the vendors' shapes, random in content, and nowhere in the repository.

`secrets(seed)` gives one of each kind, in the snippet where a person would paste it. Prefixes are kept apart from
bodies, so that this file itself holds nothing a scanner would report.
"""

import base64
import json
import random
import string
from collections.abc import Callable
from typing import Final

import msgspec

LOWER: Final = string.ascii_lowercase
UPPER: Final = string.ascii_uppercase
DIGITS: Final = string.digits
ALNUM: Final = string.ascii_letters + DIGITS
HEX: Final = "0123456789abcdef"
BASE32: Final = UPPER + "234567"
BASE36: Final = LOWER + DIGITS
URLSAFE: Final = ALNUM + "_-"
BASE64: Final = ALNUM + "+/"

Make = Callable[[random.Random], str]


class PlantedSecret(msgspec.Struct, frozen=True):
    """`text` is the snippet, `secret` the part of it that must not survive."""

    kind: str
    text: str
    secret: str


class _Row(msgspec.Struct, frozen=True):
    kind: str
    make: Make
    snippet: str = "{}"


def secrets(seed: int) -> list[PlantedSecret]:
    """One planted secret of each row; the same seed gives the same secrets."""
    rng = random.Random(seed)
    planted = []
    for row in ROWS:
        secret = row.make(rng)
        planted.append(PlantedSecret(row.kind, row.snippet.replace("{}", secret), secret))
    return planted


def of(alphabet: str, length: int, *, prefix: str = "", suffix: str = "") -> Make:
    """A random string as generators of tokens make it: over a dozen characters there is a digit among the letters."""

    def make(rng: random.Random) -> str:
        body = rng.choices(alphabet, k=length)
        if length >= 12 and set(alphabet) & set(DIGITS) and set(alphabet) & set(string.ascii_letters):
            for position in rng.sample(range(1, length - 1), 3):
                body[position] = rng.choice(DIGITS)
        return prefix + "".join(body) + suffix

    return make


def joined(*parts: Make | str) -> Make:
    return lambda rng: "".join(part if isinstance(part, str) else part(rng) for part in parts)


def uuid(rng: random.Random) -> str:
    return "-".join("".join(rng.choices(HEX, k=size)) for size in (8, 4, 4, 4, 12))


def password(rng: random.Random) -> str:
    """What a person or a password manager would choose: letters, digits, a sign inside."""
    body = rng.choices(string.ascii_letters, k=7) + rng.choices(DIGITS, k=3) + [rng.choice("!#%+=_-.")]
    rng.shuffle(body)
    return rng.choice(string.ascii_letters) + "".join(body) + rng.choice(ALNUM)


def word_password(rng: random.Random) -> str:
    return "".join(rng.choices("bdfgklmnprtvz", k=4)) + rng.choice(LOWER) * 2 + "".join(rng.choices(DIGITS, k=2))


def jwt(rng: random.Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode().rstrip("=")

    header = part({"alg": "HS256", "typ": "JWT"})
    return f"{header}.{part({'sub': str(rng.randrange(10**9)), 'iat': rng.randrange(10**9)})}.{of(URLSAFE, 43)(rng)}"


def basic(rng: random.Random) -> str:
    return base64.b64encode(f"user{rng.randrange(100)}:{password(rng)}".encode()).decode()


def key_body(rng: random.Random) -> str:
    lines = ["MII" + of(BASE64, 61)(rng), *(of(BASE64, 64)(rng) for _ in range(5)), of(BASE64, 30)(rng) + "=="]
    return "\n".join(lines)


def encoded_key(rng: random.Random) -> str:
    begin, end = (f"-----{word} PRIVATE KEY-----" for word in ("BEGIN", "END"))
    return base64.b64encode(f"{begin}\n{key_body(rng)}\n{end}\n".encode()).decode()


def pem(label: str) -> str:
    return f"-----BEGIN {label}-----\n{{}}\n-----END {label}-----"


def seed_phrase(rng: random.Random) -> str:
    return " ".join("".join(rng.choices(LOWER, k=rng.randint(4, 8))) for _ in range(12))


def passphrase(rng: random.Random) -> str:
    return " ".join("".join(rng.choices(LOWER, k=rng.randint(5, 9))) for _ in range(5))


def app_password(rng: random.Random) -> str:
    """As mail services hand them out; none of the groups is a word."""
    return " ".join("".join(rng.choices("bcdfghjkqvwxz", k=4)) for _ in range(4))


def base32(rng: random.Random) -> str:
    return "".join(rng.choices(BASE32.lower(), k=52))


def putty_body(rng: random.Random) -> str:
    return "\n".join([*(of(BASE64, 64)(rng) for _ in range(13)), of(BASE64, 11)(rng) + "="])


def wrapped(rng: random.Random) -> str:
    """A token as a terminal of 80 columns shows it behind `export GITHUB_TOKEN=` and some words."""
    token = of(ALNUM, 76, prefix="gh" + "r_")(rng)
    return token[:50] + "\n" + token[50:]


ROWS: Final[tuple[_Row, ...]] = (
    # Clouds
    _Row("aws-access-key", of(BASE32, 16, prefix="AK" + "IA"), "aws_access_key_id = {}"),
    _Row("aws-session-key", of(BASE32, 16, prefix="AS" + "IA"), "using {} for now"),
    _Row("aws-secret-key", of(BASE64, 40), "[default]\naws_secret_access_key = {}\nregion = eu-west-1"),
    _Row("aws-session-token", of(BASE64, 200), "export AWS_SESSION_TOKEN={}"),
    _Row("google-api-key", of(URLSAFE, 35, prefix="AI" + "za"), "https://maps.example.org/js?key={}&v=3"),
    _Row("google-oauth-secret", of(URLSAFE, 28, prefix="GOC" + "SPX-"), '"client_secret": "{}"'),
    _Row("google-oauth-token", of(URLSAFE, 60, prefix="ya" + "29."), "Authorization: Bearer {}"),
    _Row(
        "azure-account-key", of(BASE64, 86, suffix="=="), "AccountName=store;AccountKey={};EndpointSuffix=example.net"
    ),
    _Row("azure-shared-access-key", of(BASE64, 43, suffix="="), "Endpoint=sb://x.example.net/;SharedAccessKey={}"),
    _Row("azure-sas", of(ALNUM, 43, suffix="%3D"), "https://s.example.net/c/f?sv=2022-11-02&sr=b&sig={}"),
    _Row("azure-client-secret", joined(of(ALNUM, 3), "8Q~", of(URLSAFE, 34)), "secret value {} expires soon"),
    _Row("alibaba-access-key", of(ALNUM, 20, prefix="LT" + "AI")),
    _Row("digitalocean-token", of(HEX, 64, prefix="dop" + "_v1_"), "doctl auth init -t {}"),
    # Code hosting
    _Row("github-classic", of(ALNUM, 36, prefix="gh" + "p_"), "git clone https://{}@github.example.org/a/b.git"),
    _Row("github-oauth", of(ALNUM, 36, prefix="gh" + "o_")),
    _Row("github-user", of(ALNUM, 36, prefix="gh" + "u_"), "GITHUB_TOKEN={}"),
    _Row("github-server", of(ALNUM, 36, prefix="gh" + "s_"), "https://x-access-token:{}@github.example.org/a/b"),
    _Row("github-refresh", of(ALNUM, 76, prefix="gh" + "r_")),
    _Row("github-fine-grained", joined("github_" + "pat_", of(ALNUM, 22), "_", of(ALNUM, 59))),
    _Row(
        "gitlab-token", of(URLSAFE, 20, prefix="gl" + "pat-"), 'curl -H "PRIVATE-TOKEN: {}" https://gitlab.example.org'
    ),
    _Row(
        "bitbucket-app-password", of(ALNUM, 32, prefix="AT" + "BB"), "git push https://me:{}@bitbucket.example.org/a/b"
    ),
    _Row("atlassian-token", of(URLSAFE, 180, prefix="AT" + "ATT3x", suffix="=1A2B3C4D"), "JIRA_API_TOKEN={}"),
    # Registries
    _Row("npm-token", of(ALNUM, 36, prefix="np" + "m_"), "//registry.example.org/:_authToken={}"),
    _Row("npm-legacy", uuid, "//registry.example.org/:_authToken={}"),
    _Row("pypi-token", of(URLSAFE, 120, prefix="py" + "pi-AgEI"), "[pypi]\nusername = __token__\npassword = {}"),
    _Row("rubygems-token", of(HEX, 48, prefix="ruby" + "gems_"), ":rubygems_api_key: {}"),
    _Row("crates-io-token", of(ALNUM, 32, prefix="ci" + "o"), "cargo login {}"),
    _Row("docker-hub-token", of(URLSAFE, 27, prefix="dckr" + "_pat_"), "docker login -u me -p {}"),
    _Row("docker-config", basic, '{"auths": {"registry.example.org": {"auth": "{}"}}}'),
    _Row("nuget-key", of(BASE36, 43, prefix="oy" + "2")),
    # AI vendors
    _Row("anthropic-key", of(URLSAFE, 95, prefix="sk-" + "ant-api03-"), "ANTHROPIC_API_KEY={}"),
    _Row("openai-project-key", of(URLSAFE, 100, prefix="sk-" + "proj-"), "export OPENAI_API_KEY='{}'"),
    _Row("openai-key", of(ALNUM, 48, prefix="sk" + "-"), "OpenAI(api_key='{}')"),
    _Row("openrouter-key", of(HEX, 64, prefix="sk-" + "or-v1-")),
    _Row("huggingface-token", of(ALNUM, 34, prefix="hf" + "_"), "huggingface-cli login --token {}"),
    _Row("groq-key", of(ALNUM, 52, prefix="gs" + "k_")),
    _Row("replicate-token", of(ALNUM, 37, prefix="r8" + "_")),
    _Row("perplexity-key", of(ALNUM, 48, prefix="pp" + "lx-")),
    _Row("xai-key", of(ALNUM, 80, prefix="xa" + "i-")),
    # Chat
    _Row("slack-bot", joined("xo" + "xb-", of(DIGITS, 12), "-", of(DIGITS, 13), "-", of(ALNUM, 24)), "token: {}"),
    _Row("slack-user", joined("xo" + "xp-", of(DIGITS, 12), "-", of(DIGITS, 12), "-", of(HEX, 32))),
    _Row("slack-app", joined("xa" + "pp-1-A", of(BASE36.upper(), 10), "-", of(DIGITS, 13), "-", of(HEX, 64))),
    _Row(
        "slack-webhook",
        joined("T", of(BASE36.upper(), 10), "/B", of(BASE36.upper(), 10), "/", of(ALNUM, 24)),
        "https://hooks.slack.com/services/{}",
    ),
    _Row("discord-bot", joined("M", of(ALNUM, 25), ".G", of(ALNUM, 5), ".", of(URLSAFE, 38)), "client.run('{}')"),
    _Row("discord-webhook", of(URLSAFE, 68), "https://discord.com/api/webhooks/112233445566778899/{}"),
    _Row("telegram-bot", of(URLSAFE, 33, prefix="AA"), "https://api.example.org/bot1234567890:{}/getMe"),
    _Row(
        "teams-webhook",
        joined(uuid, "@", uuid, "/IncomingWebhook/", of(HEX, 32), "/", uuid),
        "https://example.webhook.office.com/webhookb2/{}",
    ),
    # Payment and mail
    _Row("stripe-live", of(ALNUM, 24, prefix="sk" + "_live_"), "stripe.api_key = '{}'"),
    _Row("stripe-restricted", of(ALNUM, 24, prefix="rk" + "_live_")),
    _Row("stripe-webhook", of(ALNUM, 32, prefix="wh" + "sec_")),
    _Row("square-token", of(URLSAFE, 22, prefix="sq0" + "atp-")),
    _Row(
        "braintree-token",
        joined("access_token" + "$production$", of(BASE36, 16), "$", of(HEX, 32)),
        "BRAINTREE={}",
    ),
    _Row("paypal-secret", of(URLSAFE, 80), "PAYPAL_CLIENT_SECRET={}"),
    _Row("razorpay-key", of(ALNUM, 14, prefix="rzp" + "_live_")),
    _Row("shopify-token", of(HEX, 32, prefix="shp" + "at_")),
    _Row("sendgrid-key", joined("S" + "G.", of(URLSAFE, 22), ".", of(URLSAFE, 43)), "SENDGRID_API_KEY={}"),
    _Row("mailgun-key", of(HEX, 32, prefix="ke" + "y-"), "curl -s --user 'api:{}' https://api.example.net/v3"),
    _Row("mailchimp-key", of(HEX, 32, suffix="-us12")),
    _Row("postmark-token", uuid, "X-Postmark-Server-Token: {}"),
    # Infrastructure and tools
    _Row("heroku-key", uuid, "HEROKU_API_KEY={}"),
    _Row("cloudflare-token", of(URLSAFE, 40), "CLOUDFLARE_API_TOKEN={}"),
    _Row("vercel-token", of(ALNUM, 24), "vercel deploy --token {}"),
    _Row("netlify-token", of(ALNUM, 36, prefix="nf" + "p_")),
    _Row("fly-token", of(BASE64, 80, prefix="fm" + "2_lJPECAAAAAAACx9k"), 'FLY_API_TOKEN="FlyV1 {}"'),
    _Row("terraform-token", joined(of(ALNUM, 14), ".atlas" + "v1.", of(URLSAFE, 67)), 'token = "{}"'),
    _Row("vault-token", of(ALNUM, 90, prefix="hv" + "s."), "VAULT_TOKEN={}"),
    _Row("vault-legacy", of(ALNUM, 24, prefix="s" + "."), "vault login {}"),
    _Row("databricks-token", of(HEX, 32, prefix="da" + "pi")),
    _Row("datadog-key", of(HEX, 32), "DD_API_KEY: {}"),
    _Row("newrelic-key", of(UPPER + DIGITS, 27, prefix="NR" + "AK-")),
    _Row("sentry-dsn", of(HEX, 32), "https://{}@o123456.ingest.sentry.io/4501234"),
    _Row("sentry-token", joined("sntr" + "ys_eyJ", of(ALNUM, 80), "_", of(BASE64, 43))),
    _Row("grafana-token", joined("gl" + "sa_", of(ALNUM, 32), "_", of(HEX, 8))),
    _Row("pagerduty-key", of(URLSAFE, 20), "Authorization: Token token={}"),
    _Row("doppler-token", of(ALNUM, 43, prefix="dp" + ".pt.")),
    _Row("pulumi-token", of(HEX, 40, prefix="pu" + "l-")),
    _Row("linear-token", of(ALNUM, 40, prefix="lin" + "_api_")),
    _Row("notion-token", of(ALNUM, 46, prefix="nt" + "n_")),
    _Row("notion-legacy", of(ALNUM, 43, prefix="sec" + "ret_")),
    _Row("airtable-token", joined("pa" + "t", of(ALNUM, 14), ".", of(HEX, 64))),
    _Row("figma-token", of(URLSAFE, 40, prefix="fi" + "gd_")),
    _Row("twilio-key", of(HEX, 32, prefix="S" + "K")),
    _Row("twilio-auth-token", of(HEX, 32), "TWILIO_AUTH_TOKEN={}"),
    _Row("supabase-token", of(HEX, 40, prefix="sb" + "p_")),
    _Row("supabase-secret", of(URLSAFE, 31, prefix="sb_" + "secret_")),
    _Row("planetscale-token", of(URLSAFE, 43, prefix="pscale" + "_tkn_")),
    _Row("onepassword-token", of(ALNUM, 250, prefix="op" + "s_eyJ")),
    _Row("age-secret-key", of(UPPER + DIGITS, 58, prefix="AGE-SECRET-" + "KEY-1")),
    _Row("tailscale-key", joined("ts" + "key-auth-", of(ALNUM, 12), "-", of(ALNUM, 32)), "tailscale up --authkey={}"),
    _Row("wireguard-key", of(BASE64, 43, suffix="="), "[Interface]\nPrivateKey = {}\nAddress = 192.0.2.2/32"),
    # Keys and signed tokens
    _Row("jwt", jwt),
    _Row("private-key-rsa", key_body, pem("RSA " + "PRIVATE KEY")),
    _Row("private-key-pkcs8", key_body, pem("PRIVATE " + "KEY")),
    _Row("private-key-openssh", key_body, pem("OPENSSH " + "PRIVATE KEY")),
    _Row("private-key-pgp", key_body, pem("PGP PRIVATE " + "KEY BLOCK")),
    _Row("private-key-encoded", encoded_key, "tls.key: {}"),
    # Connection strings and command lines
    _Row("postgres-url", password, "postgres://app:{}@db.example.org:5432/app"),
    _Row("mysql-url", password, "mysql+pymysql://root:{}@127.0.0.1/app"),
    _Row("mongodb-url", password, "mongodb+srv://svc:{}@cluster0.example.org/?retryWrites=true"),
    _Row("redis-url", password, "redis://:{}@cache.example.org:6379/0"),
    _Row("amqp-url", password, "amqp://worker:{}@mq.example.org//"),
    _Row("ftp-url", password, "ftp://me:{}@files.example.org/pub"),
    _Row("http-basic-url", password, "curl https://me:{}@example.org/private"),
    _Row("ado-connection-string", password, "Server=db;Database=app;User Id=sa;Password={};Encrypt=true"),
    _Row("curl-user", password, "curl -u admin:{} https://example.org/api"),
    _Row("mysql-flag", password, "mysql -u root -p{} app < dump.sql"),
    _Row("sshpass", password, "sshpass -p '{}' ssh root@192.0.2.7"),
    _Row("password-flag", password, "createuser --password {} --role admin"),
    _Row("password-flag-tight", password, "psql-tool --db-password={} -v"),
    _Row("token-flag", of(ALNUM, 32), "deploy --api-key {} --yes"),
    _Row("sudo-stdin", password, "echo '{}' | sudo -S apt update"),
    # Headers
    _Row("bearer", of(URLSAFE, 40), 'curl -H "Authorization: Bearer {}" https://example.org'),
    _Row("basic", basic, "Authorization: Basic {}"),
    _Row("api-key-header", of(ALNUM, 32), "X-Api-Key: {}"),
    _Row("cookie", of(ALNUM, 32), "Cookie: theme=dark; sessionid={}; lang=en"),
    _Row("set-cookie", of(ALNUM, 32), "Set-Cookie: sid={}; Path=/; HttpOnly"),
    # Names and values
    _Row("env", password, "DB_PASSWORD={}\nDB_HOST=localhost"),
    _Row("env-word", word_password, "DATABASE_PASSWORD={}"),
    _Row("env-token", of(ALNUM, 20), "FOO_TOKEN={}"),
    _Row("shell-export", of(HEX, 40), "export DEPLOY_SECRET='{}'"),
    _Row("rails-secret", of(HEX, 128), "SECRET_KEY_BASE={}"),
    _Row("json-password", password, '{"user": "app", "password": "{}"}'),
    _Row("json-api-key", of(ALNUM, 24), '{"api_key": "{}", "retries": 3}'),
    _Row("yaml-password", password, "db:\n  user: app\n  password: {}\n  port: 5432"),
    _Row("toml-secret", of(ALNUM, 32), 'client_secret = "{}"'),
    _Row("python-default", password, 'def connect(password: str = "{}") -> None: ...'),
    _Row("js-token", of(ALNUM, 32), "const authToken = '{}';"),
    _Row("properties-password", password, "spring.datasource.password={}"),
    _Row("ini-password", password, "[mail]\npassword = {}"),
    _Row("xml-password", password, "<server><password>{}</password></server>"),
    _Row("ruby-hash", password, "config = { :user => 'app', :password => '{}' }"),
    _Row("query-parameter", of(ALNUM, 24), "GET /feed?access_token={}&page=2"),
    _Row("setenv-call", of(ALNUM, 24), 'monkeypatch.setenv("SERVICE_API_KEY", "{}")'),
    _Row("spoken-password", password, "the admin password is {} for now"),
    _Row("chat-password", password, "Password: {}"),
    _Row("compose-entry", of(ALNUM, 24), "- name: STRIPE_SECRET\n  value: {}"),
    _Row("kubernetes-secret", basic, "kind: Secret\nmetadata:\n  name: x\ndata:\n  blob: {}"),
    _Row("netrc", password, "machine example.org login me password {}"),
    _Row("pgpass", password, "db.example.org:5432:app:svc:{}"),
    _Row("seed-phrase", seed_phrase, 'MNEMONIC="{}"'),
    _Row("env-pw", password, "DB_PW={}\nDB_HOST=localhost"),
    _Row("json-pw", password, '{"user": "app", "pw": "{}"}'),
    _Row("env-pat", of(ALNUM, 40), "AZURE_DEVOPS_EXT_PAT={}"),
    _Row("wpa-psk", password, 'network={\n\tssid="home"\n\tpsk="{}"\n}'),
    _Row("ecs-entry", of(ALNUM, 24), '{"name": "DEPLOY_SECRET", "value": "{}"}'),
    # What announces a value without a sign
    _Row("sql-password", password, "CREATE USER app WITH PASSWORD '{}' CREATEDB;"),
    _Row("sql-identified-by", password, "CREATE USER 'app'@'%' IDENTIFIED BY '{}';"),
    _Row("sql-identified-with", password, "ALTER USER app IDENTIFIED WITH caching_sha2_password BY '{}';"),
    _Row("sql-password-call", password, "SET PASSWORD FOR 'app'@'%' = PASSWORD('{}');"),
    _Row("set-password-call", password, 'account.setPassword("{}");'),
    _Row("secure-string", password, 'ConvertTo-SecureString "{}" -AsPlainText -Force'),
    _Row("dockerfile-env", password, "FROM base\nENV APP_PASSWORD {}\nUSER app"),
    _Row("fish-env", of(ALNUM, 30), "set -gx SERVICE_TOKEN {}"),
    _Row("configure-set", of(BASE64, 40), "aws configure set aws_secret_access_key {}"),
    _Row("line-below", of(ALNUM, 24), "API token:\n{}"),
    _Row("line-below-heading", of(ALNUM, 32), "## Client secret\n\n`{}`\n"),
    _Row("line-below-fence", of(ALNUM, 24), "Password:\n```\n{}\n```"),
    _Row("line-below-said", of(ALNUM, 16), "The password is:\n\n{}\n"),
    _Row("line-below-equals", of(ALNUM, 16), 'db_password =\n  "{}"\n'),
    _Row("csv", of(ALNUM, 12), "user,password,role\nme,{},admin\n"),
    _Row("csv-last", of(ALNUM, 12), '"user","password"\n"me","{}"\n'),
    _Row("tsv", of(ALNUM, 12), "user\tpassword\trole\nme\t{}\tadmin\n"),
    _Row("credentials-said", of(ALNUM, 14), "staging credentials: me / {} (read only)"),
    _Row("credentials-tight", of(ALNUM, 14), "the creds are me:{} as always"),
    _Row("login", of(ALNUM, 12), "Login: admin / {} on the test machine"),
    _Row("login-marked", of(ALNUM, 12), "- **Log in as:** `demo@shop.example` / `{}`"),
    _Row("mail-over-password", of(ALNUM, 16), "me@example.org\n{}\n"),
    _Row("markdown-table", password, "| user | password |\n|------|----------|\n| me   | {} |\n"),
    _Row(
        "ascii-table",
        password,
        "+------+----------+\n| user | password |\n+------+----------+\n| me   | {} |\n+------+----------+\n",
    ),
    _Row("psql-table", password, " user | password\n------+----------\n me   | {}\n(1 row)"),
    _Row("table-row", of(ALNUM, 30), "| API key | {} |"),
    _Row("said-set-to", password, "I set the password to {} for now"),
    _Row("said-should-be", password, "the admin password should be {} from today"),
    _Row("said-for", password, "the password for the staging database: {} (rotate it)"),
    _Row("said-of", password, "the password of the deploy user is {} now"),
    _Row("mail-and-password", of(ALNUM, 16), "log in as me@example.org {}"),
    _Row("mail-slash-password", of(ALNUM, 16), "Login: me@example.org / {}"),
    # More command lines
    _Row("sshpass-env", password, "SSHPASS={} sshpass -e ssh root@192.0.2.7"),
    _Row("sshpass-attached", password, "sshpass -p{} ssh root@192.0.2.7"),
    _Row("keytool-storepass", password, "keytool -genkey -storepass {} -alias app"),
    _Row("keytool-keypass", password, "keytool -genkey -keypass {} -alias app"),
    _Row("openssl-pass", password, "openssl pkcs12 -in a.p12 -passin pass:{} -nodes"),
    _Row("chpasswd-pipe", password, 'echo "root:{}" | sudo chpasswd'),
    _Row("chpasswd-here", password, "chpasswd <<< root:{}"),
    _Row("htpasswd", password, "htpasswd -bc .htpasswd me {}"),
    # Several words
    _Row("seed-phrase-said", seed_phrase, "my recovery phrase is {}"),
    _Row("passphrase", passphrase, "passphrase: {}"),
    _Row("passphrase-quoted", passphrase, 'GPG_PASSPHRASE="{}"'),
    _Row("password-of-words", passphrase, 'password = "{}"'),
    _Row("app-password", app_password, 'GMAIL_APP_PASSWORD="{}"'),
    _Row("passphrase-joined", lambda rng: passphrase(rng).replace(" ", "-"), "GPG_PASSPHRASE={}"),
    _Row("wpa-psk-words", passphrase, '\tpsk="{}"\n'),
    _Row("app-password-is", app_password, "the app password for it is {} and works"),
    _Row("app-password-said", app_password, "use the app password {} for it"),
    # Shapes of their own
    _Row("azure-devops-pat", base32),
    _Row("azure-devops-pat-new", joined(of(ALNUM, 52), "JQQJ" + "99", of(ALNUM, 18), "AZ" + "DO", of(ALNUM, 4))),
    _Row("putty-key", putty_body, "Public-Lines: 1\nAAAA\nPrivate-Lines: 14\n{}\nPrivate-MAC: 0123"),
    _Row("wrapped-token", wrapped, "here it is: export GITHUB_TOKEN={}\n"),
    _Row("token-in-path", of(HEX, 32, prefix="S" + "K"), "https://api.example.org/v1/{}/calls"),
    _Row("named-path", of(ALNUM, 40), "https://example.org/account/reset-password/{}"),
    # Words of other languages; the rest of them are in the tests of redact.
    _Row("russian", password, "Пароль от базы: {}"),
    _Row("chinese", password, "数据库密码：{}"),
    _Row("spanish", password, "la contraseña es {}"),
)
