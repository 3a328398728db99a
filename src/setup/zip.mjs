import { inflateRawSync } from 'node:zlib';

/*
 * Reading one file out of a zip archive (PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16): the end record
 * tells where the central directory is, its entries tell where each file's data are. No zip64, no encryption.
 */
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER_SIZE = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * @param {Buffer} archive
 * @param {string} name the entry's whole path inside the archive
 * @returns {Buffer} its content
 */
export function readZipEntry(archive, name) {
  for (const entry of entries(archive)) {
    if (entry.name === name) return contentOf(archive, entry);
  }
  throw new Error(`The archive has no entry ${name}.`);
}

function* entries(archive) {
  const end = endRecord(archive);
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('The archive’s directory is damaged.');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      archive.readUInt16LE(at + field),
    );
    yield {
      name: archive.toString('utf8', at + 46, at + 46 + nameLength),
      method: archive.readUInt16LE(at + 10),
      compressedSize: archive.readUInt32LE(at + 20),
      header: archive.readUInt32LE(at + 42),
    };
    at += 46 + nameLength + extraLength + commentLength;
  }
}

/** It stands last, before a comment of at most 65,535 bytes. */
function endRecord(archive) {
  for (let at = archive.length - 22; at >= Math.max(0, archive.length - 22 - 0xffff); at--) {
    if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw new Error('The file is no zip archive.');
}

function contentOf(archive, { header, method, compressedSize }) {
  const nameLength = archive.readUInt16LE(header + 26);
  const extraLength = archive.readUInt16LE(header + 28);
  const start = header + LOCAL_HEADER_SIZE + nameLength + extraLength;
  const data = archive.subarray(start, start + compressedSize);
  if (method === STORED) return data;
  if (method === DEFLATED) return inflateRawSync(data);
  throw new Error(
    `The archive uses compression method ${method}; only stored and deflated entries are read.`,
  );
}
