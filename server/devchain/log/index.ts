// Storage of the embedded chain: a lock for its folder, an append-only log in segments, and snapshots.
// It promises that what was acknowledged as durable is there after a kill or a loss of power, bit for bit and in order;
// that a torn write is cut off; that any other damage is refused with the file and the byte, at the start
// or, in what a snapshot covers, reported soon after it; and that a record is handed out only when a checksum vouches for it, but for the
// first bytes of one that are requested as such.
// It deals in bytes and types of records. It knows nothing of blocks or states, and sees only the checksum of the cells.

export { type ChainLog, type ChainLogOptions, LOG_START, openLog } from './chainLog.ts'
export { diskFiles, type Files, type LogFile } from './files.ts'
export { LogBroken, LogDamaged, LogError, LogForeign, LogFull, LogLocked } from './logErrors.ts'
export { lockLogFolder } from './logLock.ts'
export { comparePositions, type LogPosition, type LogRecord, type NewRecord } from './logRecord.ts'
export { OUTLINE_FILE } from './outline.ts'
export { PromptReads } from './promptReads.ts'
export { openSnapshots, type SnapshotFiles, type SnapshotLog } from './snapshot.ts'
export type { Snapshot } from './snapshotFile.ts'
