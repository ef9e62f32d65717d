import { z } from 'zod'
import { method, readsV2 } from '../method.ts'
import { Hash, Int32 } from '../primitives.ts'
import { Base64Hash, CellText, MasterSeqno, TvmCell } from './tonlib.ts'

const group = 'configuration'

const ConfigInfo = z.object({ '@type': z.literal('configInfo'), config: TvmCell }).meta({ id: 'ConfigInfo' })

const ParamNumber = Int32.min(0, 'param should be non-negative').optional()

const LibraryEntry = z
  .object({ '@type': z.literal('smc.libraryEntry'), hash: Base64Hash, data: CellText })
  .meta({ id: 'LibraryEntry' })

const ELECTOR = 'te6cckEBAQEAIgAAQDMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzKbnUcg=='

export const configuration = {
  getConfigParam: method({
    summary: 'One parameter of the configuration; an empty cell text when it is not set.',
    group,
    params: z
      .strictObject({
        param: ParamNumber.meta({ description: 'Number of the parameter.' }),
        config_id: ParamNumber.meta({ description: 'The older name of `param`, which counts when both are given.' }),
        seqno: MasterSeqno,
      })
      .refine(
        ({ param, config_id }) => param !== undefined || config_id !== undefined,
        'only one of config_id or param should be specified',
      ),
    result: ConfigInfo,
    rest: readsV2('getConfigParam'),
    freshness: 'block',
    example: {
      params: { param: 1 },
      result: { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: ELECTOR } },
    },
  }),

  getConfigAll: method({
    summary: 'The whole configuration: the root of a dictionary of cells by number, 32 bits wide.',
    group,
    params: z.strictObject({ seqno: MasterSeqno }),
    result: ConfigInfo,
    rest: readsV2('getConfigAll'),
    freshness: 'block',
    example: {
      params: {},
      result: { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: 'te6cckEBAQEAAgAAAEysuc0=' } },
    },
  }),

  getLibraries: method({
    summary: 'Public libraries by hash, up to 16 at once; those that do not exist are left out.',
    group,
    params: z.strictObject({ libraries: z.array(Hash).default([]) }),
    result: z
      .object({ '@type': z.literal('smc.libraryResult'), result: z.array(LibraryEntry) })
      .meta({ id: 'LibraryResult' }),
    rest: readsV2('getLibraries'),
    freshness: 'block',
    example: {
      params: { libraries: ['8F452D7A4DFD74066B682365177259ED05734435BE76B5FD4BD5D8AF2B7C3D68'] },
      result: {
        '@type': 'smc.libraryResult',
        result: [
          {
            '@type': 'smc.libraryEntry',
            hash: 'j0Utek39dAZraCNlF3JZ7QVzRDW+drX9S9XYryt8PWg=',
            data: 'te6cckEBAQEAAgAAAEysuc0=',
          },
        ],
      },
    },
  }),
}
