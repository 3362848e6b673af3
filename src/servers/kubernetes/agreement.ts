/**
 * The issuer of a lab that is embedded in a command. It is constant, whatever free port the lab listens on, as
 * `https://kubernetes.default.svc.cluster.local` is constant in real clusters. A served lab uses its own address as issuer.
 *
 * All labs of one state folder agree on four things. A token of one process therefore reviews as authenticated in the next, even when no lab runs in
 * between (`k8s token | k8s review -`):
 * - embedded labs have this issuer;
 * - the signing keys of the cluster are stored in the state folder, like the keys of the authorization server;
 * - the uid of an object from the lab file follows from its kind, namespace and name;
 * - the API audiences default to the issuer.
 *
 * Clients fetch discovery and keys from the address of the API server, never from this issuer.
 */
export const EMBEDDED_ISSUER = 'https://localhost:8445'
