/** A line of a subtitle file: seconds and what is said. */
export interface Cue {
  start: number;
  end: number;
  text: string;
}

/** SubRip: numbered cues, `00:00:01,250 --> 00:00:02,000`. */
export function subRip(cues: Cue[]): string {
  return cues.map((cue, index) => `${index + 1}\n${span(cue, ',')}\n${oneParagraph(cue.text)}\n`).join('\n');
}

/** WebVTT (W3C): the header, then cues whose text escapes `&`, `<` and `>`. */
export function webVtt(cues: Cue[]): string {
  const blocks = cues.map((cue) => `${span(cue, '.')}\n${escapeMarkup(oneParagraph(cue.text))}\n`);
  return ['WEBVTT\n', ...blocks].join('\n');
}

function span({ start, end }: Cue, mark: string): string {
  return `${clock(start, mark)} --> ${clock(end, mark)}`;
}

/** Hours, minutes, seconds and milliseconds; `mark` stands before the milliseconds. */
function clock(seconds: number, mark: string): string {
  const total = Math.round(seconds * 1000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const milliseconds = String(total % 1000).padStart(3, '0');
  return `${two(total / 3_600_000)}:${two((total / 60_000) % 60)}:${two((total / 1000) % 60)}${mark}${milliseconds}`;
}

/** An empty line would end the cue. */
function oneParagraph(text: string): string {
  return text.trim().replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ');
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
