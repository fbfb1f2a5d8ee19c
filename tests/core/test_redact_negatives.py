"""What only looks like a secret stays readable: code, types, references, placeholders, digests, prose."""

from typing import Final

import pytest

from recapd.core.secrets import redact

# One text a line, as it is.
HARMLESS: Final = r"""
password: str
password: string;
token: string | null
def login(user: str, password: str = "") -> None:
def login(user, password=None, token=None):
password=password
token=token, secret=secret
connect(password=db_password, token=self.token)
os.environ["API_KEY"]
API_KEY = os.environ["API_KEY"]
api_key = os.getenv("OPENAI_API_KEY")
const token = process.env.GITHUB_TOKEN;
token: process.env.TOKEN ?? ""
GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
curl -H "Authorization: Bearer $TOKEN" https://example.org
curl -H "Authorization: Bearer ${TOKEN}" https://example.org
headers = {"Authorization": f"Bearer {token}"}
Authorization: Bearer <your-token-here>
Authorization: Bearer YOUR_API_KEY
API_KEY=<your-api-key>
API_KEY=your_api_key_here
API_KEY=xxxxxxxxxxxxxxxxxxxx
API_KEY=sk-...
api_key: "****************"
password = getpass.getpass("Password: ")
token=get_token()
token = await client.fetch_token(user_id)
secret = hashlib.sha256(data).hexdigest()
password: z.string().min(8).max(128)
"password": "Password"
"password": "Enter your password"
"passwordLabel": "Password: required"
Password: required
Password must be at least 12 characters
<input type="password" name="password" placeholder="Password123!">
password_hash = bcrypt.hashpw(password, salt)
max_tokens=4096
"input_tokens": 123456, "output_tokens": 789
token_count: 1532
nextPageToken: "CAUQAA"
key: "value"
primary_key=True
cache_key = f"user:{user_id}"
sort_key: created_at_2024
for key, value in items:
"keyId": "a1b2c3d4"
commit 3f786850e387550fdab836ed7e6dc881de23001b
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==
session 8c7e1f0a-54f5-4a57-9c0e-6c1f2a3b4d5e started
/usr/lib/python3.11/site-packages/secretstorage/collection.py
~/.ssh/id_rsa and ~/.aws/credentials
--key-file=/etc/ssl/private/server.key
--password-stdin
use --token to pass a token
use --password or --token flags
git push https://github.com/acme/widgets.git
postgres://user:password@localhost/db
postgres://${DB_USER}:${DB_PASSWORD}@localhost/db
redis://localhost:6379/0
ssh://git@example.org:22/acme/widgets.git
http://localhost:8080/path@2x.png
mailto:someone@example.org
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
if (text.startsWith("-----BEGIN RSA PRIVATE KEY-----")) return;
-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----
const verdict = passed ? 'pass' : 'fail';
--- PASS: TestSha256Digest (0.01s)
tests/test_auth.py::test_password_reset_2fa PASSED
the secret is out
The token is invalid or expired.
password is incorrect
My password is required to be long
cookie: httpOnly, secure
document.cookie = "theme=dark"
Cookie: theme=dark
private_key_path = "/etc/keys/server.pem"
secretName: db-credentials
secretKeyRef:
kind: Secret
kind: SecretStore
auth: required
"auth": "oauth2"
author: Jane Doe <jane@example.org>
-u root
ps -u root:root
docker run -u 1000:1000 image
docker run -p 8080:80 image
mkdir -p build/output
mysql -u root -p app
grep -p pattern file
chown -R www-data:www-data /srv
sk-fading-circle-animation-container
task-management-system-overview
data-testid="key-value-editor-container"
hf_hub_download(repo_id=repo)
npm_config_registry=https://registry.example.org
AKIA is the prefix of AWS key ids
eyJ is how JSON looks in base64
test_secret_key_is_never_logged_in_plain_text
pypi-publish-workflow-dispatch-trigger
[REDACTED]
API_KEY=[REDACTED]
Authorization: Bearer [REDACTED]
password: REDACTED
TOKEN=***
password: !vault |
password: {{ vault_db_password }}
password = var.db_password
secret: !Ref DatabaseSecret
DB_PASSWORD="$(pass show db)"
DB_PASSWORD=$(aws secretsmanager get-secret-value --secret-id db)
PWD=/home/dev/project
OLDPWD=/srv
"token_type": "Bearer"
grant_type=refresh_token&scope=read
SELECT password FROM users WHERE token = ?
INSERT INTO users (name, password) VALUES (%s, %s)
password VARCHAR(255) NOT NULL
ALTER TABLE users ADD COLUMN api_key TEXT;
user.password = hashed
this.token = token;
self._secret = secret
if password == "":
assert token != old_token
password.length >= 8
key=lambda item: item.name
sorted(items, key=len)
--header "X-Api-Key: $KEY"
X-Api-Key: {api_key}
export PATH=$PATH:/usr/local/bin
export ANTHROPIC_API_KEY=
ANTHROPIC_API_KEY is not set
The API key is missing
Token: 12 of 40
tokens: 12.3k
passphrase: empty for no passphrase
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 dev@example.org
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8 dev@example.org
2024-05-01T12:33:44.123Z token refreshed
refresh_token_expires_in: 1209600
"secret": true
"apiKey": ""
apiKey: config.apiKey,
apiKey: apiKey2
Bearer token authentication
uses Bearer authentication-scheme
class="sk_test_mode_banner_container"
https://example.org/reset?token=TOKEN
https://example.org/?key=value&page=2
basic auth: user:pass
credentials: include
credentials: 'same-origin'
git config credential.helper store
secret santa: bring gifts
keyboard: qwerty-us-layout
ENCRYPTION_KEY_LENGTH = 32
SECRET_NAME=my-app-secret
AWS_ACCESS_KEY_ID=
aws_secret_access_key =
const KEY = "user-preferences-v2";
STORAGE_KEY = 'recap.settings.v1'
localStorage.setItem("token", token)
localStorage.getItem("authToken")
setToken(data.access_token)
monkeypatch.setenv("API_KEY", "test-key")
{"name": "password", "type": "string", "required": true}
["username", "password", "email"]
@pytest.mark.parametrize("token", ["a", "b"])
expect(screen.getByLabelText("Password")).toBeVisible()
t("auth.password.required")
password: "auth.password.label"
the timeout to pass to httplib2 in seconds
UNRESERVED_PAT = r"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._\-~"
FILE_PAT = "report-2024-*.csv"
a library identified by 'name' is loaded
run --member-email=eng@example.org --page-size=10 --zone=us-central1-a
attester@example.org tru::1:1513631572:0:3:1:5
me@example.org 3f786850e387550fdab836ed7e6dc881de23001b
me@example.org 2024-05-01T12:33:44Z
git@example.org:team/repo2.git
should_pass("Load('./_sqlite3.dll')")
(agent_get_passphrase): Add arg newsymkey.
passphrase: fix return value check
passphrase: a sequence of words
PSK: save the username in client structures
the name or the пароль для протокола SOCKSv5 слишком длинные
用户名或密码对于 SOCKSv5 协议太长
la contraseña para PKCS#12 no es correcta
prompt('Please enter password for the user {user}: '.format(user=args.user))
{"Key": "mydbreadreplicakey", "Value": "mydbreadreplicavalue"}
https://git.example.org/o/r/security/secret-scanning/unblock-secret/3DckHJWF08uGkzs2uQiwVs3qJQ9
https://example.org/auth/login2fa-with-a-long-name
src/auth/key/rotation_policy_v2_test.py
the mnemonic phrase generator takes entropy, adds a checksum and returns words that are easy to write down
an app password will work when they sign in
set the password to a random value of 32 characters
the password must be at least 8 characters
the password should be set to something longer
the password is "required" here
add the token to config2.json
the token for user2: expired
password field on step2
Use password "required" or "optional"
SELECT PASSWORD, name FROM users
password | None
| password | string | required, 8 to 64 characters |
ENV PASSWORD_FILE /run/secrets/db
ENV DB_PASSWORD $DB_PASSWORD
keytool -storepass:env STORE_PASS
echo "$USER:$PASS" | chpasswd
htpasswd -c .htpasswd me
cat /etc/passwd | grep root
psk = derive(ssid, passphrase)
credentials: aws/profile2 or vault:secret/app2
credentials are user:group pairs
the app password is only used when they sign in
the password is then sent over http
git log --format=a@example.org
salasana: pakollinen
heslo musí mít 8 znaků
adgangskode: mindst 8 tegn
passordet er feil
lösenordet är fel
пароль: минимум 8 символов
пароль: 8-значный код
пароль есть в 1Password
Пароль: bcrypt12
密码: 至少8个字符
密码是 sha256 加密的
密码为 base64 编码
密码长度:不少于8个字符
パスワードは 8文字以上
パスワードは bcrypt で
비밀번호는 8자 이상
parola este obligatorie
la senha do usuário é obrigatória
seed: 42
seed: random number for the generator that is used in all of the tests here
wallet seed is stored encrypted
passphrase: ask the admin
passphrase: see the notes in the wiki
passphrase: the one we agreed on yesterday
the password on server1 was rotated
htpasswd -b $FILE $USER $PASS
password: sha256
use bcrypt12 as the password hash
use sha256 as the password
with field_2 as password fields
take user2 as an example
gpg --passphrase '$THE PASS PHRASE' -c a
""".strip("\n").split("\n")

# Whole files and tool output, where context could lend a name to a harmless value.
HARMLESS_BLOCKS: Final = (
    "class Settings(BaseModel):\n    password: str\n    token: SecretStr | None\n    api_key: str = Field(...)\n",
    "interface Props {\n  token: string;\n  password?: string;\n  onSecret: (secret: string) => void;\n}\n",
    "env:\n  TOKEN: ${{ secrets.TOKEN }}\n  API_KEY: $API_KEY\n  PASSWORD: {{ .Values.password }}\n",
    "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?required}\n",
    "API_KEY=\nAPI_SECRET=\nDB_PASSWORD=changeme\nTOKEN=<token>\n",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b\nAuthor: A Dev <dev@example.org>\n\n    Rotate the token\n",
    "index 89e6c98d92..3f78685 100644\n--- a/src/token.py\n+++ b/src/token.py\n@@ -1,2 +1,2 @@\n-token = None\n",
    "kind: ConfigMap\ndata:\n  level: information\n  mode: production-like\n",
    "kind: Secret\nmetadata:\n  name: app\ntype: Opaque\n",
    '{\n  "login": {\n    "password": "Contraseña",\n    "token": "Código de acceso"\n  }\n}\n',
    "12 passed, 1 failed in 3.21s\nFAILED tests/test_token.py::test_refresh - KeyError: 'access_token'\n",
    "Usage: tool [--password PASSWORD] [--token TOKEN]\n\n  --api-key KEY   key of the service\n",
    "| name | type |\n|---|---|\n| password | string |\n| token | uuid |\n",
    "| KEY | VALUE |\n|-----|-------|\n| hugepage_size2m | Number of 2M huge pages |\n",
    "| user | password |\n|------|----------|\n| me | (hidden) |\n| you | $PASSWORD2 |\n| they | not set |\n",
    "spring.datasource.password=\nspring.jpa.database-platform=org.hibernate.dialect.H2Dialect\n",
    "if password:\n    sha256 = hashlib.sha256()\nif token:\n    client2 = Client(token)\n",
    "password:\n  minLength: 8\n  pattern: ^[a-z0-9]+$\ntoken:\n  type: string\n",
    "Password\n2 characters missing\n\nToken\nBearer2 or none\n",
    "- password\n- token1\n- secret-2\n- key3\n",
    "from auth import user,password\nfrom views import page1,page2\n",
    "def login(user, password,\n          token2fa, retries):\n    return user, password\n",
    "connect(\n    user=self.user,\n    password=password,\n    timeout=30,  # more\n    retry2x, port)\n",
    "name,token,count\nalpha,3,12\nbeta,14,2\n",
    "Contact: me@example.org\nVersion: 2.1.0\n\nme@example.org\nrelease-2024-05\n",
    "The password is:\n- at least 8 characters\n- not one of the last 3\n",
    "USER  PASSWORD  SHELL\nthe user  must be given  always\n",
    "Field     Password     Notes\nType      varchar255   none\n",
    "OPTION       PASSWORD       HELP\n--force      no             overwrite\n",
    "chpasswd <<EOF\nroot:${ROOT_PW}\nEOF\n",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ0hBTkdFTUU\n-----END CERTIFICATE-----\n",
    "$ sha256sum dist/*\n9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  dist/app.tar.gz\n",
)


@pytest.mark.parametrize("text", [*HARMLESS, *HARMLESS_BLOCKS])
def test_stays_as_it_is(text: str) -> None:
    assert redact(text) is text


def test_stays_as_it_is_among_other_text() -> None:
    for text in HARMLESS:
        framed = f"Before it.\n{text}\nAfter it."
        assert redact(framed) == framed
        escaped = framed.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        assert redact(escaped) == escaped
