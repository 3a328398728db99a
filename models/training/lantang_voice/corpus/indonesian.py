"""Indonesian lines: templates and sentences over a vocabulary of our own."""

import random
from collections.abc import Iterator

from . import indonesian_vocabulary as words
from . import numbers
from .sentence import Line, Templates, endless, mixed

_LETTERS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _number(chance: random.Random) -> str:
    return numbers.indonesian(int(10 ** chance.uniform(0, 7)))


def _small(chance: random.Random) -> str:
    return numbers.indonesian(chance.randint(2, 99))


def _decimal(chance: random.Random) -> str:
    fraction = numbers.indonesian_digits(str(chance.randint(1, 99)))
    return f"{numbers.indonesian(chance.randint(0, 200))} koma {fraction}"


def _ordinal(chance: random.Random) -> str:
    number = chance.randint(1, 20)
    return "pertama" if number == 1 else f"ke{numbers.indonesian(number)}"


def _digit(chance: random.Random) -> str:
    return numbers.indonesian(chance.randint(0, 9))


def _code(chance: random.Random) -> str:
    return numbers.indonesian_digits("".join(chance.choices("0123456789", k=chance.randint(3, 7))))


def _phone(chance: random.Random) -> str:
    groups = ("".join(chance.choices("0123456789", k=size)) for size in (4, 4, 4))
    return ", ".join(numbers.indonesian_digits(group) for group in groups)


def _time(chance: random.Random) -> str:
    hour, minute = numbers.indonesian(chance.randint(1, 12)), chance.randrange(0, 60, 5)
    detail = "" if minute == 0 else " setengah" if minute == 30 else f" lewat {numbers.indonesian(minute)} menit"
    return f"pukul {hour}{detail}{chance.choice(['', ' pagi', ' siang', ' malam'])}"


def _year(chance: random.Random) -> str:
    return numbers.indonesian(chance.randint(1800, 2030))


def _date(chance: random.Random) -> str:
    day, month = numbers.indonesian(chance.randint(1, 31)), chance.choice(words.MONTHS)
    return (
        chance.choice(["", f"{chance.choice(words.DAYS)}, "])
        + f"{day} {month}"
        + chance.choice(["", f" {_year(chance)}"])
    )


def _money(chance: random.Random) -> str:
    return f"{numbers.indonesian(int(10 ** chance.uniform(1, 5)) * 100)} rupiah"


def _spelled(chance: random.Random) -> str:
    return " ".join(chance.choice(words.ACRONYMS))


def _letters(chance: random.Random) -> str:
    return ", ".join(chance.choices(_LETTERS, k=chance.randint(2, 6)))


def _series(chance: random.Random) -> str:
    return ", ".join(chance.sample(words.THINGS, chance.randint(2, 6))) + f", dan {chance.choice(words.THINGS)}"


_VOCABULARY = {
    "who": words.WHO, "does": words.DOES, "when": words.WHEN, "where": words.WHERE, "why": words.WHY,
    "thing": words.THINGS, "borrowed": words.BORROWED, "adjective": words.ADJECTIVES, "person": words.PEOPLE,
    "family": words.FAMILIES, "place": words.PLACES, "month": words.MONTHS, "day": words.DAYS, "unit": words.UNITS,
    "letter": _LETTERS, "number": _number, "small": _small, "decimal": _decimal, "ordinal": _ordinal, "digit": _digit,
    "code": _code, "phone": _phone, "time": _time, "year": _year, "date": _date, "money": _money,
    "spelled": _spelled, "letters": _letters, "series": _series,
}  # fmt: skip

_PATTERNS = {
    "statements": [
        "{who} {does} {when}.", "{who} sedang {does} {where}.", "{when}, {who} {does} {where}.",
        "{who} tidak {does} {where} {when}.", "{who} ingin {does} {why}.", "{who} harus {does} {where}, {why}.",
        "{who} pernah {does}, tetapi {who} belum.", "{where} ada {thing} dan {thing} yang {adjective}.",
        "{thing} itu terlalu {adjective} untuk {who}.", "{who} lebih suka {thing} daripada {thing}.",
        "{who} terlihat {adjective} dan {adjective} {when}.", "Setelah {does}, {who} {does} {where}.",
        "{who} baru saja {does} {why}.", "{thing} {adjective} itu milik {who}.", "Menurut {person}, {who} {does} {when}.",
    ],
    "borrowed": [
        "{who} membahas {borrowed} dan {borrowed} {where}.", "{borrowed} itu sangat {adjective}.",
        "Apakah {borrowed} sama dengan {borrowed}?", "{who} mempelajari {borrowed} {when}.", "{borrowed}.",
        "Masalah {borrowed} menjadi pembicaraan {where}.", "{borrowed}, {borrowed}, dan {borrowed}.",
        "{borrowed} tidak akan {adjective} tanpa {borrowed}.", "Tema hari ini adalah {borrowed}, bukan {borrowed}!",
        "Buku tentang {borrowed} dan {borrowed} itu {adjective}.", "{person} {family} menyukai {borrowed}.",
    ],
    "numbers": [
        "Harganya {money}.", "Jumlah seluruhnya {money}, sudah termasuk pajak.", "Kereta berangkat {time}.",
        "Kami menghitung {number} {thing}.", "Ia lahir pada tanggal {date}.", "Panjangnya {decimal} {unit}.",
        "Sekitar {number} orang tinggal {where}.", "Nomor telepon saya {phone}.", "Kodenya {code}.", "{number}.",
        "Juara {ordinal} diraih oleh {person}.", "Pada tahun {year}, {who} {does}.", "Suhu udara {small} derajat.",
        "{number} ditambah {number} sama dengan {number}.", "Halaman {small}, baris {small}.", "{time}.", "{date}.",
        "Dari {number} tiket, hanya {small} yang terjual.", "Antara {number} dan {number} {unit}.", "{decimal} persen.",
        "Rumah nomor {small}, lantai {ordinal}.", "Apakah {number} atau {number}?", "Kira-kira {number} {unit}.",
    ],
    "names": [
        "{person} {family} tinggal di {place}.", "{person} dan {person} bertemu di {place}.", "{person} {family}.",
        "Perjalanan dari {place} ke {place} memakan waktu {small} jam.", "{place}.", "{place}, {place}, dan {place}.",
        "Bapak {family} berangkat ke {place} {when}.", "Ibu {family} mengajar di {place}.", "Kota {place} sangat {adjective}.",
        "Yang terhormat Bapak {person} {family}.", "Sudahkah kamu menghubungi {person} di {place}?",
    ],
    "spelled": [
        "{letter}.", "{letters}.", "Nama saya dieja {letters}.", "Kantor {spelled} ada di {place}.", "{spelled}.",
        "Vitamin {letter}.", "Pilih {letter} atau {letter}.", "{who} membawa {spelled} dan {spelled}.", "Gedung {letter}, lantai {small}.",
    ],
    "questions": [
        "Apakah {who} sudah {does} {when}?", "Mengapa {who} {does} {where}?", "Kapan {who} akan {does}?",
        "Di mana {who} biasanya {does}?", "Siapa yang {does} {when}?", "Bagaimana cara {does} {where}?",
        "Berapa harga {thing} ini?", "Maukah kamu {does}?", "Kamu mau {thing} atau {thing}?", "Benarkah {who} {does}?",
        "Ke mana {who} pergi {when}?", "Yang mana lebih {adjective}, {thing} atau {thing}?", "Ada apa {where}?",
        "Bukankah {who} sudah {does}?", "Jam berapa {who} {does}?", "Kenapa {thing} itu {adjective} sekali?",
    ],
    "exclamations": [
        "Tolong {does} {when}, ya!", "Wah, {adjective} sekali {thing} itu!", "Jangan {does} {where}!", "Cepat, {person}!",
        "Ayo {does} bersama-sama!", "Betapa {adjective} hari ini!", "Hore, {who} {does}!", "Awas, {person}!",
        "Astaga, {who} {does} {when}!", "Hebat!", "Sungguh {adjective}!",
    ],
    "lists": [
        "Kami membeli {series}.", "Di atas meja ada {series}.", "{series}.", "Pertama, {does}; kedua, {does}; ketiga, {does}.",
        "Ia pernah ke {place}, {place}, dan {place}.", "{adjective}, {adjective}, {adjective}.", "{day}, {day}, atau {day}?",
        "Pilihannya tiga: {thing}, {thing}, atau {thing}.",
    ],
    "clauses": [
        "Kalau {who} {does}, {who} akan {does}.", "Ketika {who} {does} {where}, {who} {does} {why}.",
        "{who} {does} {why}, tetapi {who} {does} {why}.", "{who}, yang {does} {when}, akhirnya {does}.",
        "Memang benar {who} {does} {when}; namun, {who} {does}, {why}.", "{why}, {who} {does}, lalu {does} {where}.",
        "Kata {person}, {who} {does}; setelah itu, {who} {does} {where} {when}.",
    ],
    "everyday": words.EVERYDAY,
    "sentences": words.SENTENCES,
}  # fmt: skip

_SINGLE_WORDS = [*words.THINGS, *words.ADJECTIVES, *words.BORROWED, *(phrase.split()[0] for phrase in words.DOES)]

_WEIGHTS = {
    "statements": 26, "borrowed": 11, "numbers": 13, "names": 8, "spelled": 4, "questions": 11, "exclamations": 5,
    "lists": 5, "clauses": 9, "everyday": 3, "sentences": 6, "words": 3,
}  # fmt: skip


def indonesian_lines(seed: int) -> Iterator[Line]:
    """Indonesian lines in an order that depends on `seed`; kinds that run out leave the mix."""
    sources = {
        kind: endless(Templates(patterns, _VOCABULARY).draw, f"{kind} {seed}") for kind, patterns in _PATTERNS.items()
    }
    sources["words"] = endless(lambda chance: f"{chance.choice(_SINGLE_WORDS).capitalize()}.", seed)
    return mixed({kind: (weight, sources[kind]) for kind, weight in _WEIGHTS.items()})
