// The room of cells: the trees of bits that everything on chain is made of. It reads and writes bags of cells, builds and
// takes apart cells, computes their hashes at every level, keeps dictionaries as persistent trees, and makes and checks
// Merkle proofs and updates.
// It promises that cells never change, that hostile bytes meet a CellError with a code and nothing else, and that reading
// takes time and memory in proportion to the input.
// It knows nothing of blocks, messages or accounts, and it sees no other room.

export { base64Pieces } from './boc/base64Pieces.ts'
export { graftProof, type KnownProof } from './boc/graftProof.ts'
export type { BagRoot } from './boc/orderedCells.ts'
export type { PlannedProof } from './boc/plannedProof.ts'
export { readBoc, readBocRoots, readingBoc, readingBocRoots } from './boc/readBoc.ts'
export { readShownTree } from './boc/shownTree.ts'
export { ALL_HASHES, NO_CRC, writeBoc, writeBocText, writingBoc } from './boc/writeBoc.ts'
export { Builder, beginCell } from './builder.ts'
export { Cell, MAX_BITS, MAX_DEPTH, MAX_REFS, makeCell } from './cell.ts'
export { BocError, CellError, CellOverflow, CellUnderflow, orNull } from './cellErrors.ts'
export { CellUsage } from './cellUsage.ts'
export { crc32c } from './crc32c.ts'
export {
  bigKey,
  coinsValue,
  dictBytesKey,
  dictHashKey,
  intKey,
  refValue,
  sliceValue,
  uintKey,
  uintValue,
  unitValue,
  varUintValue,
} from './dict/codecs.ts'
export {
  augDictKind,
  buildDict,
  Dict,
  type DictKind,
  dictKind,
  emptyDict,
  loadDict,
  loadInlineDict,
  storeDict,
  storeInlineDict,
} from './dict/dict.ts'
export { MinHeap } from './dict/minHeap.ts'
export type { Augmentation, Codec } from './dict/shape.ts'
export { CellKind } from './exotic.ts'
export { footprintOf, isLargeTree, measuringFootprint } from './footprint.ts'
export {
  type BinaryHash,
  base64Of,
  bytesText,
  hashFromBytes,
  hashFromHex,
  hashToBytes,
  hashToHex,
  numberOfBytes,
  sameBytes,
  sha256,
} from './hash.ts'
export { hashing } from './hashing.ts'
export { inOnePiece } from './inOnePiece.ts'
export { libraryNameOf, libraryNamesIn } from './libraryNames.ts'
export {
  applyUpdate,
  completeTree,
  completingTree,
  makeUpdate,
  makingUpdate,
  updateHashes,
  wrapUpdate,
} from './merkle/merkleUpdate.ts'
export { loadProof, makeProof, pruneTree, virtualize, wrapProof } from './merkle/proof.ts'
export { prune } from './merkle/pruneTree.ts'
export {
  type Anycast,
  type ExternalAddress,
  type InternalAddress,
  loadAddress,
  loadExternalAddress,
  loadInternalAddress,
  type MessageAddress,
  type StdAddress,
  stdAddress,
  storeAddress,
} from './messageAddress.ts'
export { type BitString, openAny, openCell, Slice } from './slice.ts'
