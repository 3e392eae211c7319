// The icon of an endpoint: one drawing for every mount, served from this origin because a client asks nowhere else.
// A PNG, the format that every client takes; drawn when first asked for, so that no file travels with the code.
import { crc32, deflateSync } from 'node:zlib';
import type { Reply } from './http.ts';

const SIZE = 128;
/** Points looked at in each direction of a pixel, for smooth edges. */
const SAMPLES = 4;

type Colour = readonly [red: number, green: number, blue: number, alpha: number];
const CLEAR: Colour = [0, 0, 0, 0];
const SEA: Colour = [11, 61, 99, 255];
const SAIL: Colour = [255, 255, 255, 255];
const QUAY: Colour = [242, 193, 78, 255];

/** A sail over a quay, on a rounded square. Coordinates from 0 to 128, y downwards. */
function colourAt(x: number, y: number): Colour {
  const beyond = Math.hypot(Math.max(24 - x, x - 104, 0), Math.max(24 - y, y - 104, 0));
  if (beyond > 24) return CLEAR;
  if (x > 20 && x < 108 && y > 88 && y < 98) return QUAY;
  if (y >= 98 && y < 112 && [32, 64, 96].some((post) => Math.abs(x - post) < 4)) return QUAY;
  const halfWidth = (y - 18) * 0.46;
  const onMast = Math.abs(x - 64) < 2;
  return y > 18 && y < 78 && Math.abs(x - 64) < halfWidth && !onMast ? SAIL : SEA;
}

function pixel(x: number, y: number): number[] {
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < SAMPLES * SAMPLES; i += 1) {
    const [red, green, blue, alpha] = colourAt(
      x + ((i % SAMPLES) + 0.5) / SAMPLES,
      y + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES,
    );
    // Colours weigh as much as they cover, so that the edge does not darken towards what is clear.
    [red * alpha, green * alpha, blue * alpha, alpha].forEach((part, channel) => {
      sum[channel] = (sum[channel] ?? 0) + part;
    });
  }
  const [red = 0, green = 0, blue = 0, alpha = 0] = sum;
  const cover = Math.max(1, alpha);
  return [red / cover, green / cover, blue / cover, alpha / SAMPLES ** 2].map(Math.round);
}

/** One chunk of a PNG file: length, type, data, checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function drawPng(): Buffer {
  const rows: number[] = [];
  for (let y = 0; y < SIZE; y += 1) {
    rows.push(0);
    for (let x = 0; x < SIZE; x += 1) rows.push(...pixel(x, y));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

let png: Buffer | undefined;

export function iconReply(): Reply {
  png ??= drawPng();
  return {
    status: 200,
    headers: {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    },
    body: png,
  };
}
