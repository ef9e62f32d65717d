// Public keys and mnemonics of the accounts that every embedded chain starts with. Never use them on another network.
// Deriving a seed takes 100,000 rounds of PBKDF2, too slow for a start: so seeds and public keys are listed next to the
// mnemonics, and a test checks that they match.

export interface WellKnownKey {
  /** The mnemonic of 24 words. */
  readonly mnemonic: string
  /** Ed25519 seed, 32 bytes in hex. */
  readonly seed: string
  /** Ed25519 public key, 32 bytes in hex. */
  readonly publicKey: string
}

/** One per wallet. */
export const walletKeys: readonly WellKnownKey[] = [
  {
    mnemonic:
      'ivory print enlist below amount know pulp clip punch practice viable flight lemon light document gather credit sunset visa bench window wrong record liberty',
    seed: 'e506e056ced3d59a1a659276b5eee34e05fa2b3062bd840ce00d07454462f57f',
    publicKey: 'f97d8903b89367a3b8964c1c3315bd3cb2d3537dac57a1ad4f2556f0277cf695',
  },
  {
    mnemonic:
      'wear bomb case fox topic pizza chef fossil dry wing main field impact pride spread myself brain shadow culture cat behave common also slow',
    seed: '046d1e2099c357d73d30441911d1b9181961f9601f0d3bc8517e1db54bd3e5ab',
    publicKey: 'ac908ed1ac893214b7d21247220b3162b6a7d2b73049eeb7425f19cdf537f8bd',
  },
  {
    mnemonic:
      'oppose solid barely toe ghost damage unlock shop cement kit jar poem quote small artefact unique engage split coral easy script cloth unfair virus',
    seed: '684f27071be2323f2c90f867743e7df2a163ec3946f41b81ea7493d96f175223',
    publicKey: 'a9854d9139bd4fa680a8746f31a59809ea5cafa202c7ea73d0e3166f6cca8a00',
  },
  {
    mnemonic:
      'caution open achieve nation script hotel merit word area vicious duck express business confirm heavy shoe caught diet radio absorb crop nerve bird earn',
    seed: 'db765b1668229905fae4830a47446f39f3d94f5be33187880e474b5fc9e4b997',
    publicKey: 'bd12be918cc37180c48f8398b4c9c856bf89c508b25f9befb7b62eac0655aedd',
  },
  {
    mnemonic:
      'cliff resemble diet glue valve liquid elder similar eye snap ribbon cricket junk robust devote approve collect scorpion book dinosaur trim stove copy trumpet',
    seed: '89e2e8f973001a9dae1c0fc83bb5935bb1c32635ebf2ccceb487089978113f34',
    publicKey: '2ccff14bed4e6f9916d29aad36d6c4ac23e10a97607f7e8ee0c4befabf35a3f7',
  },
  {
    mnemonic:
      'captain spread raven share repeat drink ecology child alter survey input curve science earn blue peanut wild mistake rough unfair hurt nothing above spare',
    seed: '1555aee94a12f390f31f554b5a667e795a48c9681292a7c598b527754faf12d4',
    publicKey: 'ea65053125e943d872c1d568342410fa25afab326650b6435f6a973c93d901d1',
  },
  {
    mnemonic:
      'lecture syrup refuse involve taxi about chalk material recycle hotel safe goddess insane neutral fuel flip talent short wrap purchase cat rich crash nothing',
    seed: '9c4f6cfb92d5d62045de2d969e6adaab389d5513a7dd4f5ad2eaa7b173b01a5f',
    publicKey: '0f4d1adc11d9de60de1f8e3b6efe242fe0d38b682b2d4e362f58a278945b97e9',
  },
  {
    mnemonic:
      'fold denial material coil deny wild wrap quiz runway jewel position beach delay pass response quarter artefact agree chef tenant spring popular dog school',
    seed: 'f6667b48ed5114fb9ac8e5591b3506fe599b89183f6763805a4e543142452809',
    publicKey: '8380f765b93de4f29a153ad616568beb8ca01644723191e1e7159fca528f22e4',
  },
  {
    mnemonic:
      'crumble dash bag piece forward merry multiply gauge demise alley dune return arctic ozone gift keep become east tenant slow fever twice yard visit',
    seed: '67729e62ff2378e8b609a406144278f28858b65d7630a1a5ef4bf96c98fd4235',
    publicKey: '83491b7d7a0a1ecc999cea2f9daaea9843ddfd08cce47077d629cae0858f7cb8',
  },
  {
    mnemonic:
      'speak stamp avoid arrange case twist evidence hammer cook kick forum there topple shy swarm rocket series horn remain unique divide cook inmate bleak',
    seed: '0577998a73e307d23f616df5b6e0e99a78f77810c0abf64d2275aa30a961cd7d',
    publicKey: '244e3ecbb63b7ffdebcf18b24fa6091224142986139425e64941f6933d3009ec',
  },
]

export const faucetKey: WellKnownKey = {
  mnemonic:
    'glass file dismiss myth hunt digital still grace size clutch best paddle describe bridge cost manual very certain radio boring label repeat labor have',
  seed: 'f5633da309368efd2778479c047adea0e89395e0e3cfbd19ab27c5541d12ac29',
  publicKey: '812092183613f6ac8765648fd573b7d4c9113aef415d7ae2ae008cbb5f2cc353',
}

/** May change the configuration. */
export const configOwnerKey: WellKnownKey = {
  mnemonic:
    'ordinary awake afraid satoshi pelican wisdom this calm soap door bar fiscal satisfy garage fog source decide holiday raccoon melody tattoo orient pyramid caught',
  seed: 'f13fca242eb0ec9ee16d9c85fe8381aec189293972cbee42414806d33ef650c3',
  publicKey: '3231b3d90916ffc6fb23bb7eefd60b3c1db589dca08e57b5d235199fba4b20a0',
}
