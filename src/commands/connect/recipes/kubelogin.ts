import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** kubelogin and kubectl: a person of the lab as the user of its cluster. */
export const kubelogin: Recipe = {
  name: 'kubelogin',
  aliases: ['kubectl', 'oidc-login', 'kubectl oidc-login'],
  title: 'kubelogin and kubectl: alice as a user of the cluster',
  checked: { version: 'kubelogin 1.28.0 and kubectl 1.34', by: 'test' },
  needs: ['kubectl 1.28', 'kubelogin as kubectl-oidc_login in PATH'],
  builtIn: 'kubernetes',
  secret: false,
  labFile: {
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1'],
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_claims: true,
  },
  serve: '--cluster-oidc',
  lines: ({ issuer, cluster, ca, clientId, word }) => [
    {
      kind: 'run',
      lines: lines`
        export KUBECONFIG="$PWD/lab.kubeconfig"
        kubectl config set-cluster lab --server ${word(cluster)} --certificate-authority ${word(ca)}
        kubectl config set-credentials alice \\
          --exec-api-version client.authentication.k8s.io/v1beta1 --exec-command kubectl \\
          --exec-arg oidc-login --exec-arg get-token \\
          --exec-arg ${word(`--oidc-issuer-url=${issuer}`)} \\
          --exec-arg ${word(`--oidc-client-id=${clientId}`)} \\
          --exec-arg ${word(`--certificate-authority=${ca}`)} \\
          --exec-arg --oidc-redirect-url-hostname=127.0.0.1 \\
          --exec-arg --oidc-extra-scope=profile --exec-arg --oidc-extra-scope=offline_access
        kubectl config set-context lab --cluster lab --user alice
        kubectl config use-context lab
        kubectl auth whoami
      `,
    },
  ],
  notes: [
    'The cluster knows alice as oidc:alice, and allows her nothing until somebody binds a role to that name:',
    'kubectl create clusterrolebinding alice --clusterrole view --user oidc:alice',
    'oauth-lab k8s kubeconfig --oidc   makes a file of the same kind without kubelogin.',
  ],
}
