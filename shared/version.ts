// Version numbers that go over the wire. v2 follows the specification's scheme: the major is fixed, the minor names the
// implementation (0 and 1 are taken), the patch counts releases. v3 names the version of the data it serves.

const RELEASE = 1

export const V2_VERSION = `2.2.${RELEASE}`
export const V3_VERSION = '1.0.0'
