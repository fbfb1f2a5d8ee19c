"""Owns the list of tokens that say by their own prefix what they are.

Must not know how text is searched. Bodies are the loosest class the vendor uses, with a minimum well below the
real length: text may be cut, and half a token is still half a secret.
"""

from typing import Final

import msgspec

# Every class holds all the characters its tokens can hold: a match always runs to the end of the token.
_WORD: Final = rb"[A-Za-z0-9_-]"
_DOTTED: Final = rb"[A-Za-z0-9_.-]"
_BASE64: Final = rb"[A-Za-z0-9+/=_-]"


class TokenShape(msgspec.Struct, frozen=True):
    """`random`: the prefix also starts ordinary words, so the rest has to look like no word."""

    kind: str
    prefixes: tuple[bytes, ...]
    body: bytes
    random: bool = False


def _word(kind: str, prefixes: str, least: int = 16) -> TokenShape:
    return TokenShape(kind, tuple(prefixes.encode().split()), _WORD + b"{%d,}" % least)


def _wordlike(kind: str, prefixes: str, least: int = 16) -> TokenShape:
    return TokenShape(kind, tuple(prefixes.encode().split()), _WORD + b"{%d,}" % least, random=True)


def _dotted(kind: str, prefixes: str, least: int = 16) -> TokenShape:
    return TokenShape(kind, tuple(prefixes.encode().split()), _DOTTED + b"{%d,}" % least, random=True)


def _base64(kind: str, prefixes: str, least: int = 20) -> TokenShape:
    return TokenShape(kind, tuple(prefixes.encode().split()), _BASE64 + b"{%d,}" % least)


def _shape(kind: str, prefixes: str, body: bytes) -> TokenShape:
    return TokenShape(kind, tuple(prefixes.encode().split()), body)


_UUID: Final = rb"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{4,}"

TOKEN_SHAPES: Final[tuple[TokenShape, ...]] = (
    # Clouds
    _shape("aws-access-key", "AKIA ASIA ABIA ACCA", rb"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _base64("aws-bedrock-key", "ABSK bedrock-api-key-", 40),
    _shape("aws-mws-token", "amzn.mws.", _UUID),
    _word("google-api-key", "AIza", 24),
    _dotted("google-oauth-token", "ya29. 1//0", 20),
    _word("google-oauth-secret", "GOCSPX-"),
    _wordlike("alibaba-access-key", "LTAI"),
    _shape("tencent-secret-id", "AKID", rb"[A-Za-z0-9]{32,}"),
    _wordlike("yandex-api-key", "AQVN", 30),
    _word("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_"),
    _shape("scaleway-key", "SCW", rb"[A-Z0-9]{17}(?![A-Za-z0-9])"),
    # Code hosting
    _word("github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"),
    _dotted(
        "gitlab-token",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct- glwt- GR1348941",
        12,
    ),
    _base64("bitbucket-token", "ATBB ATCTT3", 20),
    _base64("atlassian-token", "ATATT3 ATSTT3", 20),
    _word("sourcegraph-token", "sgp_ sgd_"),
    # Package registries
    _wordlike("npm-token", "npm_"),
    _word("pypi-token", "pypi-AgEI pypi-AgEN"),
    _word("rubygems-token", "rubygems_"),
    _shape("crates-io-token", "cio", rb"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    _word("docker-hub-token", "dckr_pat_ dckr_oat_"),
    _shape("nuget-key", "oy2", rb"[a-z0-9]{43}(?![A-Za-z0-9])"),
    _wordlike("jfrog-token", "AKCp cmVmdGtuO", 40),
    _word("clojars-token", "CLOJARS_"),
    _word("packagist-token", "packagist_org_ packagist_ack_ packagist_uut_"),
    # AI vendors
    _word("anthropic-key", "sk-ant-"),
    _word("openai-key", "sk-proj- sk-svcacct- sk-admin-"),
    _wordlike("openai-key", "sk- sess-", 20),
    _word("openrouter-key", "sk-or-v1-"),
    _word("langfuse-key", "sk-lf-"),
    _wordlike("huggingface-token", "hf_ api_org_", 20),
    _wordlike("groq-key", "gsk_", 20),
    _wordlike("replicate-token", "r8_", 20),
    _wordlike("perplexity-key", "pplx-", 20),
    _wordlike("xai-key", "xai-", 20),
    _wordlike("nvidia-key", "nvapi-", 20),
    _wordlike("fireworks-key", "fw_", 20),
    _word("together-key", "tgp_v1_"),
    _wordlike("cerebras-key", "csk-", 20),
    _wordlike("jina-key", "jina_", 20),
    _wordlike("tavily-key", "tvly-"),
    _wordlike("firecrawl-key", "fc-", 24),
    _word("langsmith-key", "lsv2_pt_ lsv2_sk_ ls__"),
    _word("pinecone-key", "pcsk_"),
    _wordlike("e2b-key", "e2b_", 20),
    _wordlike("posthog-key", "phx_", 20),
    _word("wandb-key", "wandb_v1_"),
    # Chat
    _word("slack-token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xoxe.xoxb- xapp- xwfp-", 12),
    _wordlike("twitch-token", "oauth:", 24),
    # Payment and commerce
    _wordlike("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_", 12),
    _wordlike("elevenlabs-key", "sk_", 32),
    _base64("webhook-secret", "whsec_", 16),
    _word("square-token", "sq0atp- sq0csp- sq0idp-"),
    _wordlike("square-token", "EAAA", 40),
    _wordlike("razorpay-key", "rzp_live_ rzp_test_", 12),
    _word("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_"),
    _shape("plaid-token", "access-sandbox- access-development- access-production-", _UUID),
    _word("flutterwave-key", "FLWSECK-", 12),
    _word("flutterwave-key", "FLWSECK_TEST-", 12),
    _wordlike("payment-live-key", "live_", 24),
    _word("easypost-key", "EZAK EZTK", 40),
    _word("shippo-token", "shippo_live_ shippo_test_"),
    # Mail
    _dotted("sendgrid-key", "SG.", 24),
    _shape("mailgun-key", "key-", rb"[0-9a-f]{24,}(?![A-Za-z0-9])"),
    _wordlike("mandrill-key", "md-", 22),
    _wordlike("resend-key", "re_", 20),
    _word("brevo-key", "xkeysib- xsmtpsib-", 24),
    _dotted("mailersend-key", "mlsn.", 24),
    # Infrastructure and tools
    _word("heroku-key", "HRKU-"),
    _dotted("cloudflare-key", "v1.0-", 40),
    _wordlike("cloudflare-token", "cfut_ cfat_ cfk_", 24),
    _wordlike("vercel-token", "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", 20),
    _word("netlify-token", "nfp_ nfc_ nfo_ nfu_"),
    _base64("fly-token", "fo1_ fm1_ fm1a_ fm1r_ fm2_", 20),
    _shape("terraform-token", "atlasv1.", rb"[A-Za-z0-9_-]{20,}"),
    _wordlike("vault-token", "hvs. hvb. hvr.", 20),
    _shape("databricks-token", "dapi", rb"[0-9a-f]{24,}(?:-[0-9])?(?![A-Za-z0-9])"),
    _word("newrelic-key", "NRAK- NRII- NRIQ- NRJS- NRAA- NRSP- NRRA-"),
    _base64("sentry-token", "sntrys_ sntryu_ sntrya_", 20),
    _base64("grafana-token", "glsa_ glc_ eyJrIjoi", 20),
    _dotted("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", 20),
    _shape("pulumi-token", "pul-", rb"[0-9a-f]{24,}"),
    _word("linear-token", "lin_api_ lin_oauth_"),
    _wordlike("notion-token", "ntn_ secret_", 30),
    _shape("airtable-token", "pat", rb"[A-Za-z0-9]{14}\.[0-9a-f]{20,}"),
    _word("figma-token", "figd_ figo_ figor_ figu_ figur_"),
    _shape("twilio-sid", "AC", rb"[0-9a-f]{32}(?![A-Za-z0-9])"),
    _shape("twilio-key", "SK", rb"[0-9a-f]{32}(?![A-Za-z0-9])"),
    _word("supabase-key", "sbp_ sb_secret_"),
    _dotted("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", 20),
    _base64("onepassword-token", "ops_eyJ", 30),
    _shape("onepassword-secret-key", "A3-", rb"[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-?){3,5}"),
    _shape("age-secret-key", "AGE-SECRET-KEY-1 AGE-PLUGIN-", rb"[A-Z0-9-]{24,}"),
    _word("tailscale-key", "tskey-"),
    _word("infracost-key", "ico-", 28),
    _word("buildkite-token", "bkua_ bkct_ bkaj_"),
    _word("circleci-token", "CCIPAT_ CCIPRJ_"),
    _shape("sonar-token", "sqp_ squ_ sqa_", rb"[0-9a-f]{24,}"),
    _shape("launchdarkly-key", "sdk- api- mob-", _UUID),
    _word("honeycomb-key", "hcaik_ hcbik_ hcxik_ hcamk_"),
    _dotted("dynatrace-token", "dt0c01. dt0s01. dt0s16.", 20),
    _shape("prefect-key", "pnu_ pnb_", rb"[A-Za-z0-9]{24,}"),
    _word("readme-key", "rdme_", 24),
    _shape("postman-key", "PMAK-", rb"[0-9a-f]{24}-[0-9a-f]{8,}"),
    _shape("trello-token", "ATTA", rb"[0-9a-fA-F]{40,}"),
    _shape("clickup-token", "pk_", rb"[0-9]{6,10}_[A-Z0-9]{20,}"),
    _shape("hubspot-token", "pat-na1- pat-na2- pat-eu1-", _UUID),
    _word("contentful-token", "CFPAT-", 20),
    _shape("asana-token", "1/ 2/ 0/", rb"[0-9]{13,}(?:/[0-9]{13,})?:[0-9a-f]{24,}"),
    _dotted("mapbox-token", "sk.eyJ", 30),
    _dotted("dropbox-token", "sl.", 60),
    _shape("facebook-token", "EAA", rb"[A-Za-z0-9]{60,}"),
    _word("typeform-token", "tfp_", 30),
    _shape("deno-token", "ddp_ ddo_", rb"[A-Za-z0-9]{30,}"),
    _shape("render-key", "rnd_", rb"[A-Za-z0-9]{24,}"),
    _shape("neon-key", "napi_", rb"[A-Za-z0-9]{24,}"),
    _word("mongodb-atlas-secret", "mdb_sa_sk_"),
    _word("cockroach-key", "CCDB1_"),
    _word("inngest-key", "signkey-prod- signkey-test- signkey-branch-"),
    _word("trigger-dev-key", "tr_prod_ tr_dev_ tr_stg_"),
    _base64(
        "encoded-private-key", "b3BlbnNzaC1rZXktdjE LS0tLS1CRUdJTiBQUklWQVRFIEtFWS LS0tLS1CRUdJTiBSU0EgUFJJVkFURS", 20
    ),
    _base64("encoded-private-key", "LS0tLS1CRUdJTiBFQyBQUklWQVRFI LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg", 20),
)
