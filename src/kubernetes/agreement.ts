/**
 * The constants that all labs of one state folder share, so that a token of one process reviews as authenticated in the
 * next, with no lab running in between (`k8s token | k8s review -`):
 * - the issuer of a lab that is embedded in a command is this constant, whatever free port it got: a fixed name, as
 * `https://kubernetes.default.svc.cluster.local` is one for real clusters. A lab that is served is its own issuer;
 * - the signing keys of the cluster are kept in the state folder, like those of the authorization server;
 * - the uids of objects from the lab file follow from kind, namespace and name;
 * - API audiences default to the issuer.
 * Discovery and keys are fetched from the API server's own address, never from this issuer.
 */
export const EMBEDDED_ISSUER = 'https://localhost:8445'
