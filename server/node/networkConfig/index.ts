// The configuration of a network: who its lite servers are, and which of its blocks are known for certain.

export {
  isCompact,
  MOST_CONFIG_BYTES,
  type NetworkConfig,
  NetworkConfigError,
  parseNetworkConfig,
} from './parseNetworkConfig.ts'
