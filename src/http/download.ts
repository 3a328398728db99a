import { audioFormat, FORMAT_NAMES } from '../audio/formats.js';

const FORMATS = new Map<string, ReturnType<typeof audioFormat>>(
  FORMAT_NAMES.map((name) => [name, audioFormat(name)]),
);

const FORMATS_BY_EXTENSION = new Map([...FORMATS].map(([name, { extension }]) => [extension, name]));

/** What an artifact is to its downloader: an artifact's name ends with its format's name. */
export function downloadOf(artifact: string): { contentType: string; fileName: string } {
  const stem = artifact.slice(0, artifact.lastIndexOf('.'));
  const format = FORMATS.get(artifact.slice(stem.length + 1));
  if (!format) return { contentType: 'application/octet-stream', fileName: artifact };
  return { contentType: format.contentType, fileName: stem + format.extension };
}

/** The artifact that is downloaded under a file name. What is no file name of ours stays as it is, and is not found. */
export function artifactOf(fileName: string): string {
  const stem = fileName.slice(0, fileName.lastIndexOf('.'));
  const format = FORMATS_BY_EXTENSION.get(fileName.slice(stem.length));
  return format === undefined ? fileName : `${stem}.${format}`;
}
