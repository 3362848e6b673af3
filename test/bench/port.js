/**
 * @param {import('node:net').Server} server
 * @returns the port it listens on
 */
export const portOf = server => /** @type {import('node:net').AddressInfo} */ (server.address()).port
