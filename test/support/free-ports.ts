/** The options by which `serve` listens on a free port for each of its servers. */
export const FREE_PORTS: readonly string[] = [
  '--port=0',
  '--http-port=0',
  '--resource-port=0',
  '--cluster-port=0',
  '--dns-port=0',
]
