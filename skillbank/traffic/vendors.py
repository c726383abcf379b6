"""How vendors write tokens: patterns of detect-secrets, and of what it lacks.

The library knows none of many vendors, and some only as they once were. What is listed
here follows what vendors say of their tokens: a prefix, an alphabet, a length.
`docs/privacy.md` has the figures.
"""

import re
from functools import cache

_ANY, _HEX = "[A-Za-z0-9]", "[0-9a-fA-F]"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
_NAMED = (  # a prefix that says enough: 16 signs or more follow
    # models and what is around them
    r"gsk_|pplx-|tvly-|csk-|nvapi-|pcsk_|jina_|hf_|api_org_|lsv2_(?:pt|sk)_"
    r"|wandb_v1_|r8_|e2b_|vc[akr]_|bedrock-api-key-"
    # code, packages, machines
    r"|gh[pousr]_|github_pat_|gl(?:pat|dt|rt|ptt|cbt|oas|imt|agent|soat|ft|ffct)-"
    r"|GR1348941|npm_|pypi-|rubygems_|CLOJARS_|dckr_[po]at_|sgp_|squ_|bkua_|pnu_"
    r"|do[opr]_v1_|hv[bsr]\.|fo1_|fm[12][ar]?_|HRKU-|nfp_|vercel_blob_rw_|sbp_"
    r"|sb_secret_|pscale_(?:tkn|pw|oauth)_|dp\.(?:pt|st|ct|sa|scim|audit)\.|tskey-"
    r"|dnkey-|tk-us-|rdme_|dt0c01\.|sha256~|AKCp|EZ[AT]K|A3-"
    # money, mail, talk, teams
    r"|[srp]k_(?:live|test)_|whsec_|rzp_(?:live|test)_|sq0[a-z]{3}-|shp(?:at|ca|pa|ss)_"
    r"|shippo_(?:live|test)_|duffel_(?:live|test)_|FLW(?:SEC|PUB)K_TEST-|xox[abeprs]-"
    r"|xapp-|xkeysib-|xsmtpsib-|lin_(?:api|oauth)_|ntn_|fig(?:d|or|ou|our)_|PMAK-"
    r"|sntr(?:ys|yu)_|gl(?:sa|c)_|NR(?:AK|AA|II|JS|RA)-|AT(?:ATT|CTT)3|tfp_|fio-u-"
    r"|sm_[aps]at_|ya29\.|GOCSPX-|1//0|ops_eyJ|sk\.eyJ|eyJrIjoi"
)
_EXACT = (  # a prefix that alone says too little
    rf"sk-[\w-]{{20,}}|ico-{_ANY}{{32}}|aio_{_ANY}{{28}}|pul-{_HEX}{{40}}"
    rf"|AIza[\w-]{{35}}|secret_{_ANY}{{43}}|dapi{_HEX}{{32}}|key-{_HEX}{{32}}"
    rf"|fc-{_HEX}{{32}}|sk_{_HEX}{{40,}}|pk_\d{{6,}}_[A-Z0-9]{{32}}|fw_{_ANY}{{22,}}"
    rf"|pa-[\w-]{{40,}}|LTAI{_ANY}{{17,}}|oy2[a-z0-9]{{43}}|cio{_ANY}{{32}}"
    rf"|SCW[A-Z0-9]{{17}}|ABSK[\w+/]{{60,}}=*|API-[A-Z0-9]{{26}}|ATBB{_ANY}{{24,}}"
    rf"|AGE-SECRET-KEY-1[A-Z0-9]{{50,}}|EAA[A-Z][\w-]{{56,}}|sl\.[\w-]{{100,}}"
    rf"|{_ANY}{{14}}\.atlasv1\.[\w=-]{{60,}}|v1\.0-{_HEX}{{24}}-{_HEX}{{100,}}"
    rf"|(?:pat|sat)(?:{_ANY}{{14}}\.{_HEX}{{64}}|\.[\w-]{{22}}\.{_ANY}{{24}}\.{_ANY}+)"
    rf"|[\w~.]{{3}}\dQ~[\w~.-]{{31,}}|\d{{8,10}}:AA[\w-]{{33}}|SG\.[\w-]{{16,}}\.[\w-]+"
    rf"|access-(?:production|development|sandbox)-{_UUID}|p8e-{_ANY}{{32}}"
    r"|xai-[A-Za-z0-9]{20,}|(?:https://)?discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{60,}"
    rf"|(?:https://)?[\w.-]{{0,60}}webhook\.office\.com/webhookb2/[\w@-]{{36,}}/IncomingWebhook/{_ANY}{{32}}/[\w-]+"
    r"|(?:https://)?hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{20,}"
    r"|(?<!-)eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*(?:\.[\w-]+){0,2}"
)
TOKENS = rf"(?:{_NAMED})[\w-]{{16,}}(?:[.+/=~]+[\w-]+)*=*|{_EXACT}"
"""Tokens that detect-secrets does not know, or not in today's notation."""


@cache
def of_library() -> tuple[re.Pattern[str], ...]:
    """How vendors write tokens, from detect-secrets; only its patterns are used.

    Left out: what it takes digests for (Azure) and what needs a word nearby, where it
    takes 7% of drawings and code for secrets.
    """
    from detect_secrets.plugins import (
        aws,
        discord,
        gitlab_token,
        mailchimp,
        slack,
        square_oauth,
        telegram_token,
        twilio,
    )

    found = (
        aws.AWSKeyDetector.denylist[0],
        *discord.DiscordBotTokenDetector.denylist,
        *gitlab_token.GitLabTokenDetector.denylist,
        *mailchimp.MailchimpDetector.denylist,
        *slack.SlackDetector.denylist,
        *square_oauth.SquareOAuthDetector.denylist,
        *telegram_token.TelegramBotTokenDetector.denylist,
        *twilio.TwilioKeyDetector.denylist,
    )
    # a letter of another script ends a token
    flags = re.ASCII | re.IGNORECASE
    return tuple(re.compile(one.pattern, one.flags & flags | re.ASCII) for one in found)


def hint() -> str:
    """RE2: a superset of the tokens, escapes beside them included."""
    own = re.sub(r"\{\d{2,},?\d*\}", "{8,}", TOKENS.replace("(?<!-)", ""))
    return "|".join([own, *map(_relaxed, of_library())])


def _relaxed(pattern: re.Pattern[str]) -> str:
    text = pattern.pattern.replace(r"(?!\w)", "").replace(r"\b", "")
    text = re.sub(r"\{(\d+),\d{3,}\}", r"{\1}", text)
    return f"(?i:{text})" if pattern.flags & re.IGNORECASE else f"(?:{text})"
