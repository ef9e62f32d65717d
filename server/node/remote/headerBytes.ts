import { footprintOf } from '../../cell/index.ts'
import type { ProvenBlock } from '../verify/index.ts'

/** Memory of a proven header: some kilobytes, unless the server has shown all of the block. */
export const headerBytes = ({ block: { info, stateUpdate, valueFlow, extra } }: ProvenBlock): number =>
  footprintOf([info, stateUpdate, valueFlow, extra])
