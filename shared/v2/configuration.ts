import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method, readsV2 } from '../method.ts'
import { AnyHash, Digits, Int32 } from '../primitives.ts'
import { Base64Hash, CellText, MasterSeqno, TvmCell } from './tonlib.ts'

const group = 'configuration'

const ConfigInfo = z
  .object({
    '@type': z.literal('configInfo'),
    config: TvmCell.describe('Root cell; its `bytes` are empty when not set.'),
  })
  .meta({ id: 'ConfigInfo', description: 'Configuration of the network, or a part of it.' })

const ParamNumber = Int32.min(0, 'param should be non-negative').optional()

const LibraryEntry = z
  .object({
    '@type': z.literal('smc.libraryEntry'),
    hash: Base64Hash.describe('Hash of the root cell of the library, base64.'),
    data: CellText.describe('The library, base64 BoC.'),
  })
  .meta({ id: 'LibraryEntry', description: 'A public library.' })

/** As many as a lite server finds in one query. */
export const MOST_LIBRARIES = 16

const ELECTOR = 'te6cckEBAQEAIgAAQDMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzKbnUcg=='

export const configurationV2 = {
  getConfigParam: method({
    summary: 'One parameter of the network configuration.',
    description: 'For a few parameters call it for each; getConfigAll returns all of them, several kilobytes.',
    group,
    params: z
      .strictObject({
        param: ParamNumber.meta({ description: 'Number of the parameter, such as 20 for gas prices.' }),
        config_id: ParamNumber.meta({ description: 'Older name of `param`; wins when both are given.' }),
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
    summary: 'The whole network configuration.',
    description:
      'The cell is a dictionary with 32-bit keys: parameter number to a cell. For one parameter use getConfigParam.',
    group,
    params: z.strictObject({ seqno: MasterSeqno }),
    result: ConfigInfo,
    rest: readsV2('getConfigAll'),
    freshness: 'block',
    example: {
      params: {},
      result: { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: exampleValues.CELL } },
    },
  }),

  getGlobalBalance: method({
    summary: 'Nanotons of all accounts together.',
    description: 'As the masterchain counts them: with what was created for blocks, without what was burnt.',
    group,
    params: z.strictObject({ seqno: MasterSeqno }),
    result: z
      .object({ '@type': z.literal('ext.globalBalance'), coins: Digits.describe('Nanotons.') })
      .meta({ id: 'GlobalBalance', description: 'What all accounts have.' }),
    rest: readsV2('getGlobalBalance'),
    freshness: 'block',
    example: { params: {}, result: { '@type': 'ext.globalBalance', coins: '5126349871020304050' } },
  }),

  getLibraries: method({
    summary: 'Public libraries by hash.',
    description: 'At most 16 hashes in a call. A library that does not exist is left out of the result.',
    group,
    params: z.strictObject({
      // One more is let through: the handler words the refusal.
      libraries: z
        .array(AnyHash)
        .meta({ maxItems: MOST_LIBRARIES })
        .default([])
        .describe('Hashes of libraries, at most 16.'),
    }),
    result: z
      .object({
        '@type': z.literal('smc.libraryResult'),
        result: z.array(LibraryEntry).describe('Libraries that exist.'),
      })
      .meta({ id: 'LibraryResult', description: 'Public libraries.' }),
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
            data: exampleValues.CELL,
          },
        ],
      },
    },
  }),
}
