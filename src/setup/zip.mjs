import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw, inflateRawSync } from 'node:zlib';

/*
 * Reading files out of a zip archive (PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16): the end record
 * tells where the central directory is, its entries tell where each file's data are. No zip64, no encryption.
 */
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER_SIZE = 30;
const END_SIZE = 22;
const LARGEST_END = END_SIZE + 0xffff;
const STORED = 0;
const DEFLATED = 8;

/**
 * @param {Buffer} archive
 * @param {string} name the entry's whole path inside the archive
 * @returns {Buffer} its content
 */
export function readZipEntry(archive, name) {
  const { offset, size, count } = endRecord(archive);
  const entry = findEntry(archive.subarray(offset, offset + size), count, name);
  const start = entry.header + localHeaderSize(archive.subarray(entry.header));
  const data = archive.subarray(start, start + entry.compressedSize);
  return entry.method === STORED ? data : inflateRawSync(data);
}

/**
 * Writes one file of an archive that may be larger than memory.
 * @param {string} archive path of the archive
 * @param {string} name the entry's whole path inside the archive
 * @param {string} target path of the file to write
 */
export async function extractZipEntry(archive, name, target) {
  const file = await open(archive);
  try {
    const { size: length } = await file.stat();
    const { offset, size, count } = endRecord(
      await read(file, Math.max(0, length - LARGEST_END), LARGEST_END),
    );
    const entry = findEntry(await read(file, offset, size), count, name);
    const start = entry.header + localHeaderSize(await read(file, entry.header, LOCAL_HEADER_SIZE));
    const data = file.createReadStream({
      ...{ start, end: start + entry.compressedSize - 1, highWaterMark: 1 << 20, autoClose: false },
    });
    const unpacked = entry.method === STORED ? new PassThrough() : createInflateRaw({ chunkSize: 1 << 20 });
    await pipeline(data, unpacked, createWriteStream(target));
  } finally {
    await file.close();
  }
}

async function read(file, position, length) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function findEntry(directory, count, name) {
  for (const entry of entries(directory, count)) {
    if (entry.name !== name) continue;
    if (entry.method === STORED || entry.method === DEFLATED) return entry;
    throw new Error(
      `The archive uses compression method ${entry.method}; only stored and deflated entries are read.`,
    );
  }
  throw new Error(`The archive has no entry ${name}.`);
}

function* entries(directory, count) {
  for (let at = 0, left = count; left > 0; left--) {
    if (directory.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw new Error('The archive’s directory is damaged.');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    );
    yield {
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      compressedSize: directory.readUInt32LE(at + 20),
      header: directory.readUInt32LE(at + 42),
    };
    at += 46 + nameLength + extraLength + commentLength;
  }
}

/** It stands last, before a comment of at most 65,535 bytes. */
function endRecord(tail) {
  for (let at = tail.length - END_SIZE; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_OF_DIRECTORY) continue;
    const [size, offset] = [12, 16].map((field) => tail.readUInt32LE(at + field));
    return { count: tail.readUInt16LE(at + 10), size, offset };
  }
  throw new Error('The file is no zip archive.');
}

/** The local header repeats the name, and has extra fields of its own. */
function localHeaderSize(header) {
  return LOCAL_HEADER_SIZE + header.readUInt16LE(26) + header.readUInt16LE(28);
}
