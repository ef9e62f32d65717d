// Copies of a data folder while its service runs, and their way back.
//
// A copy is there whole or not at all, with a list of its files and their hashes; a copy that differs from its list is refused
// before anything is written. The room knows folders, files and hashes, and no meaning of what is in them.

export { type BackupListener, listenForBackups } from './backupListener.ts'
export { BackupFault } from './fault.ts'
export { copyLive, type LiveFolder } from './liveCopy.ts'
export { type BackupSource, makeBackup } from './makeBackup.ts'
export type { Manifest } from './manifest.ts'
export { type CopyHow, requestCopy } from './requestCopy.ts'
export { restoreBackup } from './restore.ts'
