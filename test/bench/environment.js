const { PATH, NODE_EXTRA_CA_CERTS: extra } = process.env

/**
 * What measured programs get of this one's environment. Node reads a bundle of NODE_EXTRA_CA_CERTS, and all its own root
 * certificates with it, whenever it starts, also for `node -e 0`; without, a client reads the roots before its first request.
 */
export const environment = { PATH, ...(extra && { NODE_EXTRA_CA_CERTS: extra }) }

/** For headings: what `node -e 0` did besides. */
export const extraCas = extra ? 'with NODE_EXTRA_CA_CERTS' : 'without NODE_EXTRA_CA_CERTS'
