// What the rooms share of being a process: one process per folder, and threads that start from sources as from the build.
//
// A folder is held until it is given free or its holder is gone for certain; a slow holder is never robbed. The room
// knows files, processes and threads, and nothing of what lies in the folders or runs in the threads.

export { isBeaconOut, MOST_SOCKET_BYTES, removeFile } from './beacon.ts'
export { closeInTurn } from './closeInTurn.ts'
export { closeTogether } from './closeTogether.ts'
export { compileSoon } from './compileSoon.ts'
export { readGroupLimits } from './controlGroups.ts'
export {
  isUnsyncedFolder,
  linkedFile,
  makeFolder,
  removeDrafts,
  removeOldDrafts,
  replaceFile,
  syncFolder,
} from './durableFile.ts'
export { endProcess } from './endProcess.ts'
export { applyFilePlan, filePlan, roomForFiles } from './fileRoom.ts'
export { type FolderLock, lockFolder, watchHeldFolders } from './folderLock.ts'
export { inParallel } from './inParallel.ts'
export { LeanAbort, manyListeners } from './leanAbort.ts'
export { liveHeapBytes } from './liveHeap.ts'
export {
  applyMemoryPlan,
  availableMemory,
  growthPercentOf,
  heapGrowthPercent,
  memoryPlan,
  planMemory,
} from './memory.ts'
export { optimizeLate } from './optimizeLate.ts'
export { printable } from './printable.ts'
export { leaveRemovedFolder, type ProcessEntry, processEntry } from './processEntry.ts'
export { hasProcess, readBootId } from './processIdentity.ts'
export { LockHeld, takeLock } from './processLock.ts'
export { availableProcessors, contractThreads } from './processors.ts'
export { renamePatiently } from './renamePatiently.ts'
export { SameTrouble } from './sameTrouble.ts'
export { keptSecret, SecretDamaged } from './secretFile.ts'
export { whyShared } from './sharedFile.ts'
export { shellWord } from './shellWord.ts'
export { onThreadRefused, startThread } from './startThread.ts'
export { eachStop, endOnSignal, STOP_SIGNALS, stopOnce } from './stopSignals.ts'
export { syncData, syncDataAt } from './syncFile.ts'
export { codeOf, diskFailure, FolderLocked, failureText, hasCode } from './systemErrors.ts'
export { TaskThread } from './taskThread.ts'
export { hasTerminal, outliveRotation } from './terminal.ts'
export {
  type After,
  afterReading,
  afterRunning,
  afterTime,
  boundedTime,
  pause,
  timeLimit,
  waitAtMost,
} from './timeLimit.ts'
export { workerEntry } from './workerEntry.ts'
