"""English lines: WordNet for the breadth of words, templates for what a dictionary lacks."""

import random
from collections.abc import Iterator

from . import numbers
from .sentence import Line, Templates, endless, mixed, shuffled
from .wordnet import WordNet

_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_LETTERS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_GIVEN = (
    "Anna Ben Carla David Elena Frank Grace Hassan Irene James Katherine Liam Maria Noah Olivia Peter Quentin Rachel "
    "Samuel Tina Ursula Victor Wendy Xavier Yvonne Zachary Aisha Bjorn Chloe Dmitri Emily Fatima George Hiroshi "
    "Isabel Jorge Kenji Laura Michael Nadia Oscar Priya Robert Sofia Thomas Usha Vincent William Yusuf Zoe"
).split()
_FAMILY = (
    "Anderson Baker Carter Dawson Edwards Fischer Garcia Hughes Ivanov Johnson Kowalski Lopez Murphy Nguyen O'Brien "
    "Patel Quinn Robinson Schneider Taylor Underwood Vasquez Watson Yamamoto Zimmerman Campbell Thompson Mitchell "
    "Henderson Fitzgerald Wright Phillips Jenkins Kaplan McDonald Shaw Sullivan Walsh"
).split()
_TITLES = "Doctor Mister Missus Miss Professor Captain Judge President Sergeant".split()
_ROOMS = "kitchen garden office library hallway basement attic garage station market harbour museum".split()
_PLACES_NEAR = [
    "the old bridge", "the river bank", "the railway station", "the city hall", "the north gate", "the bus stop",
    "the corner shop", "the hospital", "the airport", "the beach", "the school yard", "the post office",
]  # fmt: skip
_WHO = [
    "my sister", "the teacher", "our neighbour", "the young engineer", "an old friend", "the shopkeeper", "his mother",
    "the whole team", "nobody", "everyone in the room", "the driver", "a tall stranger", "the children", "her lawyer",
    "the captain", "my grandfather", "the night nurse", "the musicians", "one of the guests", "the new mayor",
    "the gardener", "the two brothers", "a careful reader", "the baker's daughter", "the weather service",
]  # fmt: skip
_DID = [
    "found the missing keys", "painted the kitchen bright yellow", "missed the last train home",
    "wrote a long letter to the editor", "fixed the broken clock", "forgot to lock the door",
    "bought fresh bread and cheese", "walked along the beach at dawn", "asked a very simple question",
    "laughed until it hurt", "moved to a smaller flat", "heard a strange noise upstairs",
    "sold the farm and travelled north", "waited for more than an hour", "read the whole report twice",
    "planted three apple trees", "cancelled the meeting", "opened the heavy wooden box",
    "changed the password again", "lost the final match", "called the fire brigade", "sang an old folk song",
    "measured the voltage carefully", "drew a map of the valley", "finished the puzzle in silence",
    "borrowed a red umbrella", "poured two cups of tea", "took the wrong exit", "refused to answer",
    "thought about the future", "brushed the snow off the roof", "saved enough money for a boat",
]  # fmt: skip
_BASE = [
    "find a good doctor", "learn to swim", "open the window", "speak more slowly", "leave before noon",
    "send the package today", "pay the bill", "bring your own lunch", "turn off the lights", "choose another colour",
    "stay a little longer", "try it once more", "catch the early bus", "read the small print", "feed the cat",
    "book a table for four", "change the battery", "take the stairs", "water the plants", "check the oil",
    "write it down", "share the photographs", "keep the receipt", "ask for directions", "close the gate",
]  # fmt: skip
_BECAUSE = [
    "because the roads were icy", "although nobody believed it", "while the rest of us were asleep",
    "before the sun came up", "as soon as the rain had stopped", "even though it was far too late",
    "since there was nothing else to do", "if the weather stays calm", "unless something goes wrong",
    "when the bells began to ring", "so that the others could rest", "after the guests had gone",
    "which surprised all of us", "where the path divides", "until the very last minute", "as if by magic",
    "without saying a single word", "whatever the newspapers may claim",
]  # fmt: skip
_THINGS = (
    "apples oranges lemons bread cheese butter pencils paper scissors blankets candles matches onions potatoes rice "
    "beans carrots mushrooms nails hammers ropes boots gloves scarves lamps chairs tables books maps tickets coins "
    "stamps violins drums flutes horses goats sheep ducks pigeons foxes owls bees spiders violets tulips roses thyme "
    "ginger pepper vinegar sugar salt yoghurt juice coffee chocolate biscuits envelopes batteries cables"
).split()
_ADJECTIVES = (
    "quick quiet heavy bright narrow gentle strange ancient hollow bitter sweet clever careless broken silver purple "
    "frozen humid dusty fragile generous honest jealous keen lazy modern nervous obvious patient rough smooth tidy "
    "unusual vague warm young zealous enormous tiny rusty polite"
).split()
_UNITS = "metres kilometres miles kilograms litres degrees percent hours minutes seconds volts pages people".split()
_MONEY = ["dollars", "euros", "pounds", "rupees", "yen", "francs"]
_ACRONYMS = (
    "USA UK EU UN FBI CIA BBC CNN NBA HTML PDF CPU GPU USB DVD GPS ATM DNA CEO FAQ HTTP SQL API URL PIN SMS TV PC XML "
    "IBM VIP DIY ETA KFC MRI UFO JSON WHO IQ HQ"
).split()
_OPENERS = [
    "Hello", "Hello, world!", "Good morning.", "Good evening, everyone.", "Hi there!", "Welcome back.",
    "Welcome to the show.", "This is a test.", "Testing, one, two, three.", "Thank you very much.", "See you tomorrow.",
    "Nice to meet you.", "How are you today?", "Can you hear me?", "My name is {given}.", "Please wait a moment.",
    "Your order is ready.", "Your code is {code}.", "The quick brown fox jumps over the lazy dog.",
    "Text to speech is working.", "Please leave a message after the tone.", "Turn left in {number} {length}.",
    "You have {small} new messages.", "Press {digit} to continue.", "The meeting starts at {time}.",
    "Good night, and sleep well.", "Congratulations, {given}!", "Happy birthday, {given}!", "Sorry, I did not get that.",
    "Yes.", "No.", "Maybe.", "Okay.", "Of course.", "Not yet.", "Right away!", "Why not?", "Really?", "Who is it?",
    "This message was recorded on {date}.", "Chapter {small}.", "The end.", "Once upon a time, there was a {adjective} king.",
    "I am sorry, {given}.", "It is {time}.", "Next stop: {place}.", "Are you there, {given}?", "Let us begin.",
]  # fmt: skip


def _number(chance: random.Random) -> str:
    return numbers.english(int(10 ** chance.uniform(0, 7)))


def _small(chance: random.Random) -> str:
    return numbers.english(chance.randint(2, 99))


def _digit(chance: random.Random) -> str:
    return numbers.english(chance.randint(0, 9))


def _decimal(chance: random.Random) -> str:
    fraction = str(chance.randint(1, 99))
    return f"{numbers.english(chance.randint(0, 200))} point {numbers.english_digits(fraction)}"


def _ordinal(chance: random.Random) -> str:
    return numbers.english_ordinal(chance.randint(1, 31))


def _year(chance: random.Random) -> str:
    return numbers.english_year(chance.randint(1700, 2030))


def _code(chance: random.Random) -> str:
    return numbers.english_digits("".join(chance.choices("0123456789", k=chance.randint(3, 7))))


def _phone(chance: random.Random) -> str:
    groups = ("".join(chance.choices("0123456789", k=size)) for size in (3, 3, 4))
    return ", ".join(numbers.english_digits(group) for group in groups)


def _time(chance: random.Random) -> str:
    hour, minute = numbers.english(chance.randint(1, 12)), chance.randrange(0, 60, 5)
    spoken = "o'clock" if minute == 0 else f"oh {numbers.english(minute)}" if minute < 10 else numbers.english(minute)
    return f"{hour} {spoken}" + chance.choice(["", " A M", " P M", " in the morning"])


def _date(chance: random.Random) -> str:
    month, day = chance.choice(_MONTHS), numbers.english_ordinal(chance.randint(1, 31))
    return chance.choice(
        [f"{month} {day}, {_year(chance)}", f"the {day} of {month}", f"{chance.choice(_DAYS)}, {month} {day}"]
    )


def _money(chance: random.Random) -> str:
    amount = f"{numbers.english(int(10 ** chance.uniform(0.3, 6)))} {chance.choice(_MONEY)}"
    return amount + (f" and {numbers.english(chance.randint(2, 99))} cents" if chance.random() < 0.4 else "")


def _spelled(chance: random.Random) -> str:
    return " ".join(chance.choice(_ACRONYMS))


def _letters(chance: random.Random) -> str:
    return ", ".join(chance.choices(_LETTERS, k=chance.randint(2, 6)))


def _name(chance: random.Random) -> str:
    return f"{chance.choice(_GIVEN)} {chance.choice(_FAMILY)}"


def _series(chance: random.Random) -> str:
    items = chance.sample(_THINGS, chance.randint(2, 6))
    return ", ".join(items) + f", and {chance.choice(_THINGS)}"


_VOCABULARY = {
    "who": _WHO, "did": _DID, "base": _BASE, "because": _BECAUSE, "near": _PLACES_NEAR, "room": _ROOMS,
    "thing": _THINGS, "adjective": _ADJECTIVES, "unit": _UNITS, "length": ["metres", "yards", "miles"],
    "day": _DAYS, "month": _MONTHS, "given": _GIVEN, "family": _FAMILY, "title": _TITLES, "letter": _LETTERS,
    "number": _number, "small": _small, "decimal": _decimal, "ordinal": _ordinal, "year": _year, "code": _code,
    "phone": _phone, "time": _time, "date": _date, "money": _money, "spelled": _spelled, "letters": _letters,
    "name": _name, "series": _series, "digit": _digit,
}  # fmt: skip

_PATTERNS = {
    "numbers": [
        "The total comes to {money}.", "It costs {money}, or {money} with delivery.", "The train leaves at {time}.",
        "We counted {number} {thing} and {number} {thing}.", "She was born on {date}.", "The room is {decimal} {unit} wide.",
        "About {number} people live there.", "He finished in {ordinal} place.", "My number is {phone}.",
        "Between {year} and {year}, prices rose by {decimal} percent.", "Flight {code} departs at {time} on {day}.",
        "{number} plus {number} equals {number}.", "On {date}, {who} {did}.", "The answer is {number}.",
        "Page {small}, line {small}.", "It was built in {year}.", "Call {phone} before {time}.",
        "The temperature fell to minus {small} degrees.", "{number} divided by {small} is {decimal}.",
        "Room {digit} {digit} {digit} is on the {ordinal} floor.", "{number}.", "{time}.", "{date}.", "{decimal}.",
        "Only {small} of the {number} tickets were sold.", "Is it {number} or {number}?", "The {ordinal} of {month}.",
        "They walked {decimal} {length} in {small} minutes.", "Version {digit} point {small}.",
    ],
    "names": [
        "{title} {family} lives in {place}.", "{name} and {name} met in {place}.", "{person} was often in {place}.",
        "From {place} to {place}, the journey takes {small} hours.", "Have you read anything by {person}?",
        "{given} called {title} {family} about {place}.", "{name} was born in {place} in {year}.", "{person}.",
        "{place}.", "My colleague {name} speaks fluent {language}.", "The road from {place} to {place} is closed.",
        "{given}, {given}, and {given} are from {place}.", "Dear {title} {family}, thank you for your letter.",
        "According to {person}, nothing has changed.", "{name}, please come to gate {small}.",
    ],
    "spelled": [
        "The {spelled} has opened an office in {place}.", "Please send the {spelled} file to {given}.", "{letters}.",
        "{letter}.", "{letter} as in {given}.", "My name is spelled {letters}.", "The {spelled} and the {spelled} agreed.",
        "Press {letter}, then {letter}.", "Is it {letter} or {letter}?", "Vitamin {letter}.", "{spelled}.",
        "The code is {letter}, {letter}, {digit}, {digit}.", "An {spelled} error occurred.", "Grade {letter}.",
    ],
    "questions": [
        "Did {who} really {base}?", "Where can I {base}?", "Why should {who} {base}?", "Would you like to {base}?",
        "Who told you to {base}?", "When will {given} {base}?", "Is the {adjective} {thing} box in the {room}?",
        "How many {thing} do we need?", "Shall we {base}, or shall we wait?", "What happened at {near}?",
        "You want to {base}?", "Can {given} {base} before {time}?", "Isn't that {given} over there, near {near}?",
        "Which one is more {adjective}, the first or the second?", "What time is it in {place}?", "Are you sure?",
        "Have they found the {adjective} {room} yet?", "Do you know {name}?", "Could you {base}, please?",
    ],
    "exclamations": [
        "What a {adjective} day!", "Stop!", "Look out, {given}!", "I can't believe that {who} {did}!", "Hurry up!",
        "Please {base} right now!", "How {adjective} it is!", "That's wonderful, {given}!", "Don't {base}!",
        "We won by {small} points!", "Happy new year!", "Oh no, not the {thing} again!", "Never mind, just {base}!",
        "Bravo!", "Well done, everyone!", "Watch your step!", "Come on, {given}, {base}!", "Fantastic news!",
    ],
    "lists": [
        "We need {series}.", "On the table were {series}.", "{series}.", "First, {base}; second, {base}; and third, {base}.",
        "They visited {place}, {place}, {place}, and {place}.", "{adjective}, {adjective}, {adjective}.",
        "The colours are red, orange, yellow, green, blue, and violet.", "There are three choices: {thing}, {thing}, or {thing}.",
        "{day}, {day}, or {day}?", "{given}: {thing}. {given}: {thing}.", "You can {base}, {base}, or simply {base}.",
    ],
    "clauses": [
        "{because}, {who} {did}, and {who} {did}.", "{who} {did} {because}, but {who} {did} {because}.",
        "{who}, who {did} near {near}, {did} {because}.", "When {who} {did}, {who} {did}; then, {because}, {who} {did}.",
        "It is true that {who} {did} {because}; however, {who} {did}, {because}.", "{who} {did}: {who} {did} {because}.",
        "Not only did {who} {base} in the {room}, but {who} also {did}, {because}.",
        "If you {base}, and if {given} agrees to {base}, then we can {base} {because}.",
        "{given} said that {who} {did}, that {who} {did}, and that, in the end, {who} {did}.",
    ],
    "everyday": _OPENERS,
}  # fmt: skip

_LANGUAGES = "French Spanish German Indonesian Japanese Arabic Hindi Russian Italian Portuguese Turkish Dutch".split()

_WEIGHTS = {
    "examples": 40, "definitions": 9, "numbers": 11, "names": 8, "spelled": 4, "questions": 7, "exclamations": 4,
    "lists": 4, "clauses": 6, "everyday": 4, "words": 3,
}  # fmt: skip


def english_lines(wordnet: WordNet, seed: int) -> Iterator[Line]:
    """English lines in an order that depends on `seed`; tens of thousands of them."""
    vocabulary = {
        **_VOCABULARY,
        "place": wordnet.places,
        "person": wordnet.people,
        "language": _LANGUAGES,
    }
    sources = {
        kind: endless(Templates(patterns, vocabulary).draw, f"{kind} {seed}") for kind, patterns in _PATTERNS.items()
    }
    sources["examples"] = shuffled(wordnet.examples, seed)
    sources["definitions"] = shuffled(wordnet.definitions, seed)
    sources["words"] = (f"{word.capitalize()}." for word in shuffled(wordnet.words, seed))
    return mixed({kind: (weight, sources[kind]) for kind, weight in _WEIGHTS.items()})
