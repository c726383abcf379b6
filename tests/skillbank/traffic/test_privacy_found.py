"""What once leaked, one text each: notations that nobody had thought of.

They come from Faker, from rules and tests of other people's scanners and from reading
what agents do all day. Tokens are put together here, so that no scanner of this
repository takes them for real.
"""

import json
from base64 import encodebytes
from random import Random
from string import ascii_letters, ascii_uppercase, digits

import orjson
import pytest

from skillbank.briefs.brief import Brief
from skillbank.traffic.privacy import mask, redact
from skillbank.traffic.run import Run

KEY = b"0123456789abcdef"
MAIL = "nora.klein@example.org"
HEX = digits + "abcdef"


def masked(text: str) -> str:
    return mask(Run(run_id="r", brief=Brief(id="b", text="A"), output=text), KEY).output


def drawn(n: int, letters: str = ascii_letters + digits) -> str:
    return "".join(Random(n).choices(letters, k=n))


def wide(text: str) -> str:
    """As it is written among Chinese signs; blanks stay."""
    return "".join(c if c == " " else chr(ord(c) + 0xFEE0) for c in text)


HIDDEN = {
    "no width": "nora.\u200bklein\u200b@example.org",
    "soft hyphen": "no\u00adra.klein@example.org",
    "wide letters": wide(MAIL),
    "a wide sign": MAIL.replace("@", wide("@")),
    r"\u{40}": r"nora.klein\u{40}example.org",
    r"\U": r"nora.klein\U00000040example.org",
    r"\x40": r"nora.klein\x40example.org",
    r"\x of all": "".join(rf"\x{ord(letter):02x}" for letter in MAIL),
    "a mail's sign": "nora.klein=40example.org",
    "a mail's line": "write to nora.klein@exam=\nple.org",
    "hex": MAIL.encode().hex(),
    "hex, capitals": MAIL.encode().hex().upper(),
    "[at]": "nora.klein [at] example.org",
    "(at), (dot)": "nora.klein(at)example(dot)org",
    "at, dot": "nora.klein at example dot org",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_an_address_has_one_pseudonym_however_it_is_written(name: str):
    assert masked(HIDDEN[name]).removeprefix("write to ") == masked(MAIL)
    assert "<email:" in masked(json.dumps({"a": json.dumps([HIDDEN[name]])}))


def test_base64_is_read_across_the_lines_of_json():
    said = "x y z, " * 6 + MAIL + " and more" * 9
    packed = encodebytes(said.encode()).decode()

    for text in (packed, json.dumps({"data": packed}), json.dumps(json.dumps(packed))):
        assert "<email:" in masked(text)


LEAKED = [
    ("email", "nora@müller.de", "nora@müller.de"),
    ("email", "jörg.müller@example.org", "jörg.müller@example.org"),
    ("email", "张伟@example.org", "张伟@example.org"),
    ("email", "wei79@58.com", "wei79@58.com"),
    ("email", "nora@a.b.c.d.e.f.g.h.i.j.org", "nora@a.b.c.d.e.f.g.h.i.j.org"),
    ("card", wide("4111 1111 1111 1111"), wide("1111")),
    ("card", "4111\u00a01111\u00a01111\u00a01111", "1111"),
    ("card", "4111.1111.1111.1111", "1111"),
    ("card", "4111  1111  1111  1111", "1111"),
    ("card", "41111111 11111111", "1111"),
    ("card", '{"card": 4111111111111111.0}', "4111111111111111"),
    ("card", "my credit card 4222222222222", "4222222222222"),
    ("iban", "de89370400440532013000", "370400"),
    ("iban", "DE89-3704-0044-0532-0130-00", "0532"),
    ("iban", "DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000", "0532"),
    ("iban", "DE 8937 0400 4405 3201 3000", "0400"),
    ("account", "SSN 123-45-6789", "6789"),
    ("phone", "(11) 91234-5678", "5678"),
    ("phone", "https://wa.me/4917612345678", "4917612345678"),
    ("phone", "+1 555 123 4567 ext. 89", "89"),
    ("phone", "+90(927)687-1980x4791", "687"),
    ("phone", "00420 601 308 741", "308"),
    ("phone", "call +٤٩٣٠١٢٣٤٥٦٧", "٣٠١٢٣"),
    ("name", r"\\wsl$\Ubuntu\home\nora\x", "nora"),
    ("name", r"\\wsl.localhost\Ubuntu\home\nora\x", "nora"),
    ("name", "/c/Users/nora/x", "nora"),
    ("name", "/cygdrive/c/Users/nora/x", "nora"),
    ("name", "/Volumes/Macintosh HD/Users/nora/x", "nora"),
    ("name", "/System/Volumes/Data/Users/nora/x", "nora"),
    ("name", "/nfs/home/nora/x", "nora"),
    ("name", "/home1/nora/x", "nora"),
    ("name", r"c:\users\nora\x", "nora"),
    ("name", r"C:\Documents and Settings\nora\x", "nora"),
    ("name", r'cd "C:\Users\Nora Klein"', "Klein"),
    ("name", "vscode-remote://ssh-remote%2Bhost/home/nora/x", "nora"),
    ("name", "gcc -I/home/nora/include", "nora"),
    ("name", "ls /home/nora? or /home/nora|cat", "nora"),
    ("name", "It is in /home/nora.", "nora"),
    ("name", "nora@host:/home/nora$ ls", "/nora"),
    ("name", "~/.claude/projects/-home-nora/x.jsonl", "nora"),
    ("name", "-mnt-c-Users-nora-x", "nora"),
    ("secret", "redis://:s3cr3tpw@cache:6379", "s3cr3tpw"),
    ("secret", f"https://{drawn(40)}@localhost/x.git", drawn(40)),
    ("secret", "Authorization: Bearer abcdefghijklmnopqrstuvwx", "ghijklm"),
    ("secret", f"Authorization: token {drawn(40, HEX)}", drawn(40, HEX)),
    ("secret", f"Cookie: a=b; sid={drawn(24)}; c=d", drawn(24)),
    ("secret", f"https://a.test/c?sv=2022&sig={drawn(30)}%3D&se=1", drawn(30)),
    ("secret", f"/k?X-Amz-Signature={drawn(64, HEX)}", drawn(64, HEX)),
    ("secret", "curl -u nora:hunter2 https://a.test", "hunter2"),
    ("secret", "tool --password hunter2 --port 80", "hunter2"),
    ("secret", "mysql -uroot -pS3cretPw shop", "S3cretPw"),
    ("secret", "sshpass -p 'S3cretPw' ssh x", "S3cretPw"),
    ("secret", "machine a.test login nora password abcd1234", "abcd1234"),
    ("secret", "DB_PASS=tr0ub4dor", "tr0ub4dor"),
    ("secret", "DB_PASSWORD=correcthorse", "correcthorse"),
    ("secret", '{"password": "correcthorse"}', "correcthorse"),
    ("secret", "Das Passwort lautet: Geheim123", "Geheim123"),
    ("secret", "export MY_SERVICE_KEY=abcdef0123456789abcdef", "0123456789"),
    ("secret", f"AKIA{drawn(16, ascii_uppercase)},{drawn(38)}/+", drawn(38)),
    ("secret", '{"auths":{"x":{"auth":"bm9yYTpodW50ZXIy"}}}', "bm9yYTpo"),
    (
        "secret",
        "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\nabcd\n-----END PGP "
        "PRIVATE KEY BLOCK-----",
        "abcd",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "private"), LEAKED)
def test_what_once_leaked_is_masked(kind: str, text: str, private: str):
    after = masked(text)

    assert private not in after
    assert f"<{kind}:" in after or json.loads(text)
    assert masked(after) == after


PREFIXES = (
    "gsk_ xai- pplx- r8_ e2b_ tvly- csk- nvapi- pcsk_ lsv2_pt_ wandb_v1_ api_org_ "
    "dckr_pat_ rubygems_ sgp_ squ_ bkua_ hvs. fo1_ HRKU- nfp_ sbp_ sb_secret_ "
    "pscale_tkn_ dp.pt. tskey-auth- dnkey- tk-us- rdme_ whsec_ sq0atp- shippo_live_ "
    "duffel_live_ xapp-1- xkeysib- lin_api_ ntn_ figd_ PMAK- sntrys_ sntryu_ glsa_ "
    "glc_ NRAK- ATATT3 tfp_ fio-u- sm_pat_ 1//0 ops_eyJ sk-lf- sk.eyJ"
)


@pytest.mark.parametrize("prefix", PREFIXES.split())
def test_tokens_of_vendors_that_no_library_knows_are_masked(prefix: str):
    token = prefix + drawn(44)

    assert redact(f"it was {token} then") == "it was <secret> then"


@pytest.mark.parametrize(
    "text",
    [
        "xai-realtime-banking_xai_2026-07-13, sk-learn-contrib-2, fc-cache -f",
        "password: required, password: 'required', type='password'",
        "--token-limit 4000 --pass 3, docker run -u 1000:1000, curl -u $USER:$PASS",
        "src/home/index.ts, https://shop.test/Users/list, app/home/nora-page",
        "Author at work, look at this dot, f(at)[0], x[at] = 4",
        "x = 40, a=4011, width=40px, key=value&code=200",
        "0.4111111111111111, 1.4.1111.2, 4111\t1111\t1111\t1111",
        "deadbeef00112233445566778899aabb de0123456789abcdef0123456789abcdef",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "toolu_01A09q90qw90lq917835lq9 call_AbCdEfGhIjKlMnOpQrStUvWx req_011CSHoEeq",
        "https://a.test/?v=9f86d081884c&w=1080 cookie: consent=yes",
        wide("sale: 50%!") + "全角の文字、 \u200bzero\u200bwidth",
    ],
)
def test_what_only_resembles_it_is_let_be(text: str):
    assert masked(text) == text


def test_the_name_of_a_home_folder_is_masked_where_systems_write_who_it_is():
    told = masked(
        "HOME=/home/nora\nUSER=nora\nuid=1000(nora)\n$ whoami\nnora\n"
        "nora@laptop:~$ ls -l ~nora\n-rw-r--r-- 1 nora staff 120 a.txt\nsay nora"
    )

    assert told.count("<name:") == 7
    assert told.endswith("say nora")  # it may be any word


def test_a_name_that_is_no_word_is_masked_wherever_it_stands():
    told = masked(
        "/Users/nora.klein/x, as nora.klein said; -Users-nora-klein-shop/a.jsonl"
    )

    assert "klein" not in told
    assert told.count("<name:") == 3


def test_a_number_in_json_stays_one_and_is_not_masked_again():
    once = masked('{"phone":5551234567,"card":4111111111111111}')

    assert all(isinstance(one, int) for one in orjson.loads(once).values())
    assert "555123" not in once
    assert masked(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "\\" * 400_000,
        "a\u200b" * 100_000,
        "curl '" + "-eyJ" * 50_000,
        "=\n" * 100_000,
        "6e6f" * 100_000,
        "+49 cookie: " * 20_000,
        "a at b dot " * 30_000,
        "card " * 60_000,
        "--token " * 40_000,
        "a" * 1_000_000,
        "1" * 1_000_000,
        "@" * 1_000_000,
    ],
)
@pytest.mark.timeout(10)
def test_no_notation_makes_the_search_explode(text: str):
    assert redact(text)
