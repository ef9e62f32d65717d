// CRC32C (Castagnoli), the checksum of bags of cells and of validator lists. Eight tables let the loop take eight bytes a
// step, which is what makes a log of blocks cheap to check.

const POLYNOMIAL = 0x82f63b78
const TABLES = buildTables()

function buildTables(): Int32Array {
  const tables = new Int32Array(8 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    tables[byte] = crc
  }
  for (let at = 256; at < tables.length; at++) {
    const before = tables[at - 256] ?? 0
    tables[at] = (before >>> 8) ^ (tables[before & 255] ?? 0)
  }
  return tables
}

/** Checksum of `bytes` from `start` to `end`; pass the checksum of what stood before to go on from there. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length, before = 0): number {
  const t = TABLES
  let crc = ~before
  let at = start
  for (const stop = end - 7; at < stop; at += 8) {
    const low =
      crc ^
      ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24))
    crc =
      (t[1792 + (low & 255)] ?? 0) ^
      (t[1536 + ((low >>> 8) & 255)] ?? 0) ^
      (t[1280 + ((low >>> 16) & 255)] ?? 0) ^
      (t[1024 + (low >>> 24)] ?? 0) ^
      (t[768 + (bytes[at + 4] ?? 0)] ?? 0) ^
      (t[512 + (bytes[at + 5] ?? 0)] ?? 0) ^
      (t[256 + (bytes[at + 6] ?? 0)] ?? 0) ^
      (t[bytes[at + 7] ?? 0] ?? 0)
  }
  for (; at < end; at++) crc = (t[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}
