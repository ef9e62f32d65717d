// The configuration of a network: its lite servers, and the blocks from which trust starts.

export {
  isCompact,
  MOST_CONFIG_BYTES,
  type NetworkConfig,
  NetworkConfigError,
  parseNetworkConfig,
} from './parseNetworkConfig.ts'
