"""What a statement sets: things of a kind, of which one is taken for another, and numbers with what they count.

    "settings go in a yaml file"   format: yaml
    "make the settings file toml"  format: toml     another of its kind: the later takes the place of the earlier
    "90 days", "14 days"           days: 90, 14

Owns the one table of kinds, and when two statements set one kind otherwise. Must not know scores, nor who speaks.
A name may be of several kinds. What is not in the table sets nothing: then other signs have to tell of a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from recapd.core import late_re as re

# Kind, and the one that is set of it.
Value: TypeAlias = tuple[str, str]

# A number by itself: of what, is not said. And how the kinds begin that count something.
NUMBER: Final = "number"
COUNTED: Final = "number of "

# Of each kind those that stand for one another. Spellings of one are joined by "|", its words by "_".
_KINDS: Final[dict[str, str]] = {
    "database": """postgres|postgresql|pg|постгрес mysql mariadb sqlite mongo|mongodb dynamodb|dynamo redis
        cassandra couchdb|couch clickhouse oracle mssql|sql_server neo4j duckdb firestore|firebase supabase
        cockroachdb|cockroach elasticsearch bigquery snowflake influxdb|influx timescaledb|timescale leveldb rocksdb
        h2 localstorage|local_storage indexeddb""",
    "queue": """rabbitmq|rabbit kafka redis sqs nats pulsar celery sidekiq zeromq|zmq mqtt postgres|postgresql
        bullmq|bull activemq kinesis pubsub|pub_sub""",
    "cache": "redis memcached|memcache lru in-memory varnish cdn in-process",
    "language": """python|пайтон java|джава kotlin typescript|ts javascript|js rust golang|go_lang ruby php swift
        scala elixir haskell c#|csharp c++|cpp dart perl lua zig clojure bash|shell_script powershell erlang ocaml
        fortran cobol objective-c""",
    "backend": """django flask fastapi express|expressjs nestjs rails|ruby_on_rails laravel spring|spring_boot gin
        actix axum sinatra koa hapi phoenix fiber starlette litestar symfony tornado aiohttp hono""",
    "frontend": """react|reactjs vue|vuejs svelte angular solidjs preact htmx jquery alpine.js|alpinejs ember
        nextjs|next.js nuxt remix astro sveltekit lit vanilla_js|plain_js flutter swiftui react_native electron
        tauri qt gtk""",
    "styles": """bootstrap tailwind bulma material_ui|mui chakra css_modules sass|scss styled-components plain_css
        shadcn""",
    "packages": "npm yarn pnpm bun pip poetry uv pipenv conda rye pdm hatch",
    "build": """webpack vite rollup esbuild parcel turbopack tsc maven gradle bazel cmake meson ninja sbt makefile
        justfile""",
    "tests": """jest vitest mocha pytest unittest playwright cypress selenium puppeteer jasmine karma rspec minitest
        junit testng nose""",
    "ci": """jenkins github_actions|gh_actions gitlab_ci|gitlab circleci|circle_ci travis|travis_ci buildkite
        teamcity azure_pipelines drone woodpecker""",
    "hosting": """aws|amazon gcp|google_cloud azure hetzner digitalocean|digital_ocean heroku fly.io|fly vercel
        netlify render railway cloudflare linode ovh scaleway lambda ec2 vps on-prem|on-premise|on_prem
        raspberry_pi|raspberry github_pages""",
    "infrastructure": "terraform pulumi cloudformation ansible chef puppet cdk opentofu",
    "running": """kubernetes|k8s nomad docker_swarm|swarm docker_compose|docker-compose|compose systemd
        supervisor|supervisord pm2 bare_metal docker podman""",
    "scheduler": "cron|crontab|cronjob systemd_timer|systemd celery_beat airflow prefect github_actions",
    "format": """json yaml|yml toml csv tsv xml parquet avro protobuf|protobufs|proto msgpack|messagepack ini
        excel|xlsx|xls pdf markdown|md html jsonl|json_lines|ndjson docx|word latex plain_text|txt|text_file cbor
        bson env_file|.env sqlite asciidoc rst|restructuredtext epub""",
    "image": "png jpeg|jpg webp avif gif svg tiff bmp",
    "media": "mp3 wav ogg flac aac opus mp4 mkv webm",
    "api": """rest|rest_api grpc graphql soap trpc websocket|websockets|web_socket polling|long-polling|long_polling
        sse|server-sent_events webhook|webhooks mqtt xml-rpc""",
    "login": """jwt|jwts session|sessions|server-side_session|session_cookie|session_cookies
        opaque_token|opaque_tokens oauth oauth2 saml basic_auth api_key|api_keys magic_link|magic_links
        password|passwords passkey|passkeys ldap sso cookie|cookies email|e-mail|mail username|user_name""",
    "second factor": "sms totp|authenticator|authenticator_app email|e-mail webauthn|yubikey|hardware_key",
    "hash": "md5 sha1|sha-1 sha256|sha-256 sha512|sha-512 bcrypt argon2 scrypt blake2|blake3",
    "licence": """mit apache|apache_2 gpl|gplv3|gplv2 agpl|agplv3 lgpl bsd mpl unlicense|public_domain|cc0
        proprietary closed_source isc eupl""",
    "branches": "rebase squash merge_commit|merge_commits",
    "repositories": """monorepo|one_repo|single_repo polyrepo |separate_repos |multi-repo |own_repo |one_repo_each
        |own_repos |eigene_repos""",
    "branching": "trunk|trunk-based|trunk_based git_flow|gitflow|git-flow github_flow",
    "architecture": """monolith|monolithic|monolithe microservices|microservice serverless event-driven
        layered|layers hexagonal""",
    "how often": """hourly |every_hour |stündlich |toutes_les_heures |cada_hora |ogni_ora |ежечасно |每小时 |毎時
        |매시간 |saatlik |elk_uur |co_godzinę daily |every_day |nightly |every_night |täglich |jeden_tag |quotidien
        |quotidienne |tous_les_jours |chaque_jour |diario |diaria |cada_día |todos_los_días |diariamente |todo_dia
        |todos_os_dias |giornaliero |ogni_giorno |ежедневно |каждый_день |每天 |每日 |毎日 |매일 |günlük |her_gün
        |dagelijks |elke_dag |codziennie weekly |every_week |once_a_week |wöchentlich |jede_woche |hebdomadaire
        |chaque_semaine |toutes_les_semaines |semanal |cada_semana |semanalmente |toda_semana |settimanale
        |ogni_settimana |еженедельно |каждую_неделю |раз_в_неделю |每周 |毎週 |매주 |haftalık |her_hafta |wekelijks
        |elke_week |co_tydzień |tygodniowo monthly |every_month |once_a_month |monatlich |jeden_monat |mensuel
        |mensuelle |chaque_mois |tous_les_mois |mensual |cada_mes |mensal |todo_mês |mensile |ogni_mese |ежемесячно
        |каждый_месяц |раз_в_месяц |每月 |毎月 |매월 |매달 |aylık |her_ay |maandelijks |elke_maand |co_miesiąc
        |miesięcznie quarterly |every_quarter |yearly |annually |jährlich |annuel |anual |annuale |ежегодно |每年
        |毎年 |매년 |yıllık |jaarlijks |corocznie on_demand|manually|by_hand""",
    "weekday": """monday |mondays |montag |montags |lundi |lunes |segunda-feira |lunedì |понедельник |понедельникам
        |周一 |星期一 |月曜 |월요일 |pazartesi |poniedziałek |poniedziałki |maandag tuesday |tuesdays |dienstag
        |dienstags |mardi |martes |terça |martedì |вторник |вторникам |周二 |星期二 |火曜 |화요일 |salı |wtorek
        |wtorki |dinsdag wednesday |wednesdays |mittwoch |mittwochs |mercredi |miércoles |quarta |mercoledì |среду
        |среда |средам |周三 |星期三 |水曜 |수요일 |çarşamba |środa |środę |środy |woensdag thursday |thursdays
        |donnerstag |donnerstags |jeudi |jueves |quinta |giovedì |четверг |четвергам |周四 |星期四 |木曜 |목요일
        |perşembe |czwartek |czwartki |donderdag friday |fridays |freitag |freitags |vendredi |viernes |sexta |venerdì
        |пятница |пятницу |пятницам |周五 |星期五 |金曜 |금요일 |cuma |piątek |piątki |vrijdag saturday |saturdays
        |samstag |samstags |samedi |sábado |sabato |суббота |субботу |周六 |星期六 |土曜 |토요일 |cumartesi |sobota
        |sobotę |zaterdag sunday |sundays |sonntag |sonntags |dimanche |domingo |domenica |воскресенье |周日 |星期日
        |日曜 |일요일 |pazar |niedziela |niedzielę |zondag""",
    "colour": """red |rot |rote |roten |rouge |rojo |roja |vermelho |rosso |красный |красным |红色 |赤色 |빨간색
        |빨강 |kırmızı |rood |czerwony blue |blau |blaue |blauen |bleu |bleue |azul |blu |синий |синим |синяя
        |голубой |蓝色 |青色 |파란색 |파랑 |mavi |blauw |niebieski green |grün |grüne |grünen |vert |verte |verde
        |зелёный |зеленый |зелёным |зеленым |绿色 |緑色 |초록색 |초록 |녹색 |yeşil |groen |zielony yellow |gelb
        |gelbe |jaune |amarillo |amarelo |giallo |жёлтый |желтый |黄色 |노란색 |노랑 |sarı |geel |żółty orange
        |naranja |laranja |arancione |оранжевый |橙色 |オレンジ |주황색 |turuncu |oranje |pomarańczowy purple
        |violet |lila |morado |roxo |viola |фиолетовый |紫色 |보라색 |mor |paars |fioletowy
        pink|rosa|rose|розовый|粉色|ピンク|분홍색|pembe|roze|różowy
        grey|gray|grau|gris|cinza|grigio|серый|灰色|회색|gri|grijs|szary teal turquoise|türkis navy maroon
        brown|braun""",
    "theme": """light |hell |helles |helle |clair |claro |chiaro |светлая |светлую |светлый |浅色 |ライト |라이트
        |밝은 dark |dunkel |dunkles |dunkle |sombre |oscuro |escuro |scuro |тёмная |темная |тёмную |темную |тёмный
        |темный |深色 |ダーク |다크 |어두운""",
    "side": """top|oben|en_haut|arriba|em_cima|in_alto|сверху|上方|顶部|상단|위쪽
        bottom|unten|en_bas|abajo|embaixo|in_basso|снизу|下方|底部|하단|아래쪽 left |links |à_gauche |gauche
        |izquierda |esquerda |sinistra |слева |左侧 |左边 |左側 |左に |왼쪽 to_the_right |on_the_right |right_side
        |right_hand |rechts |à_droite |droite |derecha |direita |destra |справа |右侧 |右边 |右側 |右に |오른쪽""",
    "orientation": "horizontal|horizontally|landscape|quer vertical|vertically|portrait|hochkant",
    "visibility": """public |öffentlich |publique |público |pública |pubblico |публичный |публичным |公开 |公開
        |공개 |openbaar |publiczne |publiczny private |privat |privé |privée |privado |privada |privato |приватный
        |приватным |закрытый |私有 |非公開 |비공개 |privé |prywatne |prywatny internal|intern|interne""",
    "waiting": """sync |synchronous |synchronously |synchron |synchrone |síncrono |sincrono |синхронно |同步 |同期
        async |asynchronous |asynchronously |asynchron |asynchrone |asíncrono |assíncrono |asincrono |асинхронно
        |асинхронным |异步 |非同期 |비동기""",
    "speech": """english |englisch |englische |anglais |inglés |inglês |inglese |английский |английском |英语 |英文
        |英語 |영어 |engels |angielski |angielsku |ingilizce german |deutsch |deutsche |allemand |alemán |alemão
        |tedesco |немецкий |немецком |德语 |ドイツ語 |독일어 |duits |niemiecki |almanca french |französisch
        |français |francés |francês |francese |французский |法语 |フランス語 |frans |francuski spanish |spanisch
        |espagnol |español |castellano |espanhol |spagnolo |испанский |西班牙语
        italian|italienisch|italien|italiano|portuguese|portugués|português
        russian|russisch|russe|ruso|russo|русский|русском chinese|chinesisch|chinois|chino|китайский|中文
        japanese|japanisch|japonais|японский|日本語|日语 korean|koreanisch|한국어 dutch|nederlands|niederländisch
        polish|polski|polsku|polnisch turkish|türkçe|türkisch""",
    "dialect": "british|british_english american|american_english|us_english",
    "indent": """tab|tabs|tabulator|tabulatoren|tabulations|tabulación|табы|табами space |spaces |leerzeichen
        |espaces |espacios |espaços |spazi |пробелы |пробелами |空格 |スペース""",
    "spelling": """snake_case|snake-case camelcase|camel_case kebab-case|kebab_case pascalcase|pascal_case
        screaming_snake""",
    "quotes": "single_quotes|single-quotes double_quotes|double-quotes",
    "keys": """uuid|uuids|guid|guids integer |integers |int |serial |bigint |autoincrement |auto_increment
        |auto-increment |sequential ulid|ulids slug|slugs natural_key""",
    "money": "float|floats cents|integer_cents decimal|decimals",
    "level": "debug info warning|warn trace",
    "tone": """formal|förmlich|formell|formel|formale|siezen|формально|正式|敬語|격식 casual |informal |informell
        |locker |duzen |décontracté |coloquial |informale |неформально |口语 |カジュアル |반말 friendly|freundlich
        playful serious|sachlich funny|sarcastic grumpy cheerful""",
    "units": "metric|metrisch|métrique imperial celsius fahrenheit kilometres|kilometers|km miles|mile",
    "clock": "utc local_time|lokalzeit|heure_locale|hora_local|cet|est|pst",
    "delete": "soft_delete|soft_deletes|soft-delete hard_delete|hard_deletes|hard-delete",
    "by whom": """manual |manually |by_hand |manuell |manuel |von_hand |manualmente |à_la_main |вручную |手动 |手動
        |수동 automatic |automatically |auto |automatisch |automatique |automático |automatico |automáticamente
        |автоматически |自动 |自動 |자동 |auto_merge |auto-merge |auto_deploy""",
    "consent": "opt-in|opt_in opt-out|opt_out",
    "default": "enabled|on_by_default|eingeschaltet disabled|off_by_default|ausgeschaltet",
    "docs": """sphinx mkdocs docusaurus hugo jekyll gitbook vitepress readthedocs|read_the_docs javadoc typedoc
        doxygen""",
    "monitoring": """prometheus datadog new_relic|newrelic sentry loki elk rollbar bugsnag grafana cloudwatch zabbix
        nagios""",
    "tracker": "jira linear github_issues trello asana notion",
    "channel": """slack discord teams|ms_teams telegram email|e-mail|mail|e-mails|emails|correo sms|text_message
        push|push_notification|push_notifications whatsapp signal""",
    "payment": """stripe paypal pix card|credit_card|kreditkarte|cartão|tarjeta|carta klarna adyen invoice|rechnung
        boleto bank_transfer braintree mollie""",
    "font": """inter roboto arial helvetica lato open_sans georgia times comic_sans verdana poppins monospace serif
        sans-serif""",
    "map": "leaflet mapbox google_maps openlayers maplibre openstreetmap",
    "drawing": "canvas webgl svg webgpu three.js d3 chart.js echarts plotly matplotlib highcharts recharts",
    "engine": "unity godot unreal pygame phaser bevy libgdx love2d raylib sdl",
    "bus": "i2c spi uart usb can_bus bluetooth|ble wifi|wi-fi|wlan lora zigbee ethernet rs485 thread nfc",
    "model": "openai|gpt|gpt-4 claude|anthropic gemini llama mistral ollama local_model",
    "mapper": "prisma typeorm sequelize drizzle knex sqlalchemy peewee raw_sql|plain_sql hibernate jooq dapper",
    "state": "redux zustand mobx pinia vuex recoil jotai react_context",
    "requests": "axios fetch requests httpx curl urllib got ky superagent xhr",
    "storage": """s3|s3_bucket minio gcs|google_cloud_storage local_disk |disk |filesystem |file_system
        |lokale_platte |disque_local |disco_local nfs blob_storage dropbox google_drive postgres|database|the_db""",
    "system": "linux windows macos|mac ubuntu debian alpine fedora arch|arch_linux centos freebsd nixos rhel",
    "web server": "nginx caddy apache|apache2|httpd traefik haproxy envoy iis",
    "search": """elasticsearch|elastic opensearch meilisearch typesense solr algolia
        full-text|fulltext|full_text_search fts5 lucene""",
    "linter": "eslint biome tslint standardjs prettier black ruff flake8 pylint autopep8 yapf rubocop",
    "type check": "mypy pyright pyre pytype",
    "deploying": "blue-green|blue_green rolling|rolling_update canary big_bang",
    "numbers": "semver calver|calendar_versioning",
    "order": """ascending|aufsteigend|croissant|ascendente descending|absteigend|décroissant|descendente
        alphabetical|alphabetically|alphabetisch newest_first|newest oldest_first|oldest""",
    "size": "small|klein|petit|pequeño medium large|groß|grand|grande",
    "strictness": "strict|strikt loose|lenient|lax",
    "loading": "lazy|lazily eager|eagerly",
    "screen": """modal|popup|dialog sidebar|drawer inline|dropdown new_page|own_page|separate_page tabs accordion
        toast|snackbar banner""",
    "clients": """web_app|website|browser mobile_app|native_app|native pwa desktop_app|desktop
        cli|command_line|terminal tui gui""",
    "transfer": "ftp sftp rsync scp http https webdav",
    "retrieval": "batch|batches|stapelweise streaming|stream|streams realtime|real-time|real_time",
    "who": "admins|admin|administrators everyone|everybody|all_users|anyone members owners editors moderators",
    "layout": "grid flexbox|flex table cards list masonry",
}  # fmt: skip
# Before a number that counts a place in some order, and before or behind one that says nothing of what is wanted.
_ORDINAL: Final = frozenset(
    """phase step task issue pr pull line lines option page chapter question item point ticket sprint milestone number
        no
    part section row column version day week round test case bug commit fase schritt aufgabe zeile seite option paso
    étape ligne página passo riga шаг строка вопрос пункт задача error code status http""".split()
)
_EMPTY: Final = frozenset(
    """a an the to of in at by for per pro por par and or is are be it as on from with than up about around max min only
    just now then ok please instead rather each every more less not but so because when if after before should must
    at least most again there here der die das den auf um mit und zu bei nach je le la les à au de du et en el los las
    un una
    o os as em com il lo i gli di da per на в по с и до от за из не""".split()
)
# Units of one measure: a change of the unit changes no slot.
_MEASURES: Final[dict[str, str]] = {
    spelled: measure
    for measure, spellings in {
        "bytes": "b kb mb gb tb kib mib gib byte bytes kilobytes megabytes gigabytes mo go ko мб гб кб",
        "time": """ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days week weeks
            month months
            year years sekunde sekunden minuten stunde stunden tag tage tagen woche wochen monat monate jahre seconde
            secondes
            heure heures jour jours semaine semaines mois ans segundo segundos minuto minutos hora horas día días dia
            dias
            semana semanas mes meses años anos secondi minuti ora ore giorno giorni settimane mesi anni секунд секунды
            секунду
            минут минуты минуту час часа часов день дня дней неделя недели недель месяц месяца месяцев лет dakika
            saniye saat
            gün hafta ay sekund minut godzin dni seconden uren dagen weken""",
        "share": "% percent prozent pourcent procent",
        "length": "px pixel pixels em rem pt mm cm",
        "rate": "hz khz mhz fps rps qps",
    }.items()
    for spelled in spellings.split()
}
# Words that only say what is counted.
UNITS: Final = frozenset(_MEASURES)
_MEASURES_UNSPACED: Final[dict[str, str]] = {
    sign: measure
    for measure, signs in {
        "time": "秒分时小時天日周週月年초분시일주",
        "count": "개件条",
        "times": "次回번",
        "money": "円元원",
    }.items()
    for sign in signs
}
# Numbers as people spell them, by what they are; one is a word for too much else.
_NUMERALS: Final[dict[str, str]] = {
    spelled: number
    for number, spellings in {
        "2": "two zwei deux dos dois duas twee dwa dwie iki два две",
        "3": "three drei trois tres três tre drie trzy üç три",
        "4": "four vier quatre cuatro quatro quattro cztery dört четыре",
        "5": "five fünf cinq cinco cinque vijf pięć beş пять",
        "6": "six sechs seis zes sześć altı шесть",
        "7": "seven sieben sept siete sete sette zeven siedem yedi семь",
        "8": "eight acht huit ocho oito otto osiem sekiz восемь",
        "9": "nine neun neuf nueve nove negen dziewięć dokuz девять",
        "10": "ten zehn dix diez dez dieci tien dziesięć десять",
        "12": "twelve zwölf douze doce doze dodici twaalf dwanaście двенадцать",
        "15": "fifteen fünfzehn quinze quince quindici vijftien piętnaście пятнадцать",
        "20": "twenty zwanzig vingt veinte vinte venti twintig dwadzieścia yirmi двадцать",
        "30": "thirty dreißig trente treinta trinta trenta dertig trzydzieści otuz тридцать",
        "60": "sixty sechzig soixante sesenta sessenta sessanta zestig altmış шестьдесят",
        "100": "hundred hundert cien cem cento honderd yüz сто",
    }.items()
    for spelled in spellings.split()
}
_NUMBER_RE: Final = re.compile(
    rf"(?<![\w.,/#:-])(?P<number>\d{{1,7}}(?:[.,]\d{{1,4}})?|(?:{'|'.join(_NUMERALS)})(?!\w))(?P<unspaced>[{''.join(_MEASURES_UNSPACED)}])?"
    r"(?:[ -]?(?P<unit>%|[^\W\d_]{1,14}))?(?: (?P<further>[^\W\d_]{2,14}))?"
)
_BEFORE_RE: Final = re.compile(r"([^\W\d_]{2,20})[\s:=]{1,3}\Z")
_BEFORE_CHARS: Final = 24
# People write no more than that to set something.
_MOST_CHARS: Final = 500
# A name may have so many words, and so many characters where there is nothing between words.
_MOST_WORDS: Final = 3
_MOST_UNSPACED: Final = 5
# Some languages hang an ending on any name: "w Angularze".
_LEAST_INFLECTED: Final = 7
_MOST_ENDING: Final = 2
_UNSPACED: Final = "぀-ヿ一-鿿가-힣"
# A word, and names with a dot or a sign in them; what hangs on it by a stroke, a line or a slash is part of a longer
# one.
_WORD_RE: Final = re.compile(rf"[^\W_{_UNSPACED}]+(?:\.[^\W_{_UNSPACED}]+)*(?:\+\+|#)?|[{_UNSPACED}]+")
_UNSPACED_RE: Final = re.compile(f"[{_UNSPACED}]")
_BETWEEN: Final = frozenset(" _-")
_HANGING: Final = frozenset("_-/\\@")


def _values_by_name() -> dict[str, tuple[Value, ...]]:
    values: dict[str, list[Value]] = {}
    for kind, members in _KINDS.items():
        for member in re.sub(r"\s+\|", "|", members).split():
            spellings = dict.fromkeys(re.sub("[_-]", " ", each) for each in member.split("|"))
            for spelled in spellings:
                values.setdefault(spelled, []).append((kind, next(iter(spellings))))
    return {spelled: tuple(found) for spelled, found in values.items()}


_VALUES: Final = _values_by_name()


# The same few statements are compared with each that follows them.
@lru_cache(maxsize=512)
def values_in(text: str) -> frozenset[Value]:
    """What a statement sets."""
    text = text[:_MOST_CHARS].lower()
    named = (value for name in _names_in(text) for value in _VALUES.get(name, ()))
    return frozenset((*named, *_counted_in(text)))


def _names_in(text: str) -> Iterable[str]:
    """Whatever may be a name: words in a row, the longest first, and none of them twice."""
    words = list(_WORD_RE.finditer(text))
    at = 0
    while at < len(words):
        if _UNSPACED_RE.match(words[at][0]):
            yield from _parts_of(words[at][0])
            at += 1
            continue
        row = [words[at]]
        for word in words[at + 1 : at + _MOST_WORDS]:
            if text[row[-1].end() : word.start()] not in _BETWEEN or _UNSPACED_RE.match(word[0]):
                break
            row.append(word)
        found = next((size for size in range(len(row), 0, -1) if _is_name(text, row[:size])), 0)
        if found:
            yield " ".join(word[0] for word in row[:found])
        elif len(words[at][0]) >= _LEAST_INFLECTED:
            yield from (words[at][0][:-cut] for cut in range(1, _MOST_ENDING + 1))
        at += found or 1


def _is_name(text: str, row: Sequence[re.Match[str]]) -> bool:
    """Whether it is in the table, and no part of a longer name or a path."""
    if " ".join(word[0] for word in row) not in _VALUES:
        return False
    begin, end = row[0].start(), row[-1].end()
    return text[begin - 1 : begin] not in _HANGING and text[end : end + 1] not in _HANGING


def _parts_of(run: str) -> Iterable[str]:
    for begin in range(len(run)):
        for end in range(begin + 2, min(begin + _MOST_UNSPACED, len(run)) + 1):
            yield run[begin:end]


def _counted_in(text: str) -> Iterable[Value]:
    for match in _NUMBER_RE.finditer(text):
        number, before = _number_of(match["number"]), _word_before(text, match.start())
        if before in _ORDINAL:
            continue
        unit = next((each for each in (match["unit"], match["further"]) if each and each not in _EMPTY), "")
        if match["unspaced"]:
            yield f"{COUNTED}{_MEASURES_UNSPACED[match['unspaced']]}", number
        elif unit in _MEASURES:
            yield f"{COUNTED}{_MEASURES[unit]}", number
        elif unit and unit not in _ORDINAL:
            yield f"{COUNTED}{unit[:5]}", number
        if before and before not in _EMPTY:
            yield f"{before[:6]} by number", number
        yield NUMBER, number


def _number_of(spelled: str) -> str:
    return _NUMERALS.get(spelled) or spelled.replace(",", ".")


def _word_before(text: str, at: int) -> str:
    word = _BEFORE_RE.search(text[max(0, at - _BEFORE_CHARS) : at])
    return word[1] if word else ""


def set_otherwise(earlier: frozenset[Value], later: frozenset[Value]) -> frozenset[str]:
    """The kinds of which the later sets another than the earlier, and none that the earlier does."""
    kinds = {kind for kind, _ in earlier} & {kind for kind, _ in later}
    return frozenset(kind for kind in kinds if _of(kind, earlier).isdisjoint(_of(kind, later)))


def sets_other_value(earlier: frozenset[Value], later: frozenset[Value]) -> bool:
    """Whether the later sets another of a kind, or another number: of the same, where both say of what."""
    kinds = set_otherwise(earlier, later)
    is_counted = all(any(kind.startswith(COUNTED) for kind, _ in each) for each in (earlier, later))
    return bool(kinds - {NUMBER}) or (bool(kinds) and not is_counted)


def set_besides(earlier: frozenset[Value], later: frozenset[Value]) -> frozenset[str]:
    """The kinds of which the later names what the earlier sets, and another."""
    kinds = {kind for kind, _ in earlier} & {kind for kind, _ in later}
    return frozenset(
        kind for kind in kinds if _of(kind, earlier) & _of(kind, later) and _of(kind, later) - _of(kind, earlier)
    )


def _of(kind: str, values: frozenset[Value]) -> frozenset[str]:
    return frozenset(value for each, value in values if each == kind)
