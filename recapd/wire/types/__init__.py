"""All wire types in one place to import from; each family has a file of its own, `types/<family>.py`."""

from recapd.wire.types.activity import *
from recapd.wire.types.base import *
from recapd.wire.types.context import *
from recapd.wire.types.coverage import *
from recapd.wire.types.decisions import *
from recapd.wire.types.errors import *
from recapd.wire.types.files import *
from recapd.wire.types.hook import *
from recapd.wire.types.overview import *
from recapd.wire.types.panel import *
from recapd.wire.types.proof import *
from recapd.wire.types.reading import *
from recapd.wire.types.recap import *
from recapd.wire.types.search import *
from recapd.wire.types.service import *
from recapd.wire.types.session import *
from recapd.wire.types.status import *
from recapd.wire.types.subscribe import *
from recapd.wire.types.summary import *
from recapd.wire.types.timeline import *
from recapd.wire.types.transcript import *
from recapd.wire.types.watch import *
from recapd.wire.types.why import *
