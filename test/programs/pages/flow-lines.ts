import { type LineTable, prints } from './typed.js'
import { secretOf } from './world.js'

/** Lines that walk a flow, at the lab and at other servers. */
export const flowLines: LineTable = {
  'oauth-lab flow code --issuer https://id.example --client-id web --client-secret-file secret.txt --redirect-uri http://127.0.0.1:7000/callback --scope openid --browser':
    prints(/^granted {2}alice -> web/m, ({ browser }) => ({ BROWSER: browser })),
  'oauth-lab flow code --issuer https://id.example --client-id signer --client-key key.pem --par --dpop --scope openid --user alice --password-stdin < password.txt':
    prints(/POST \/request[\s\S]*DPoP[\s\S]*^granted/m),
  "oauth-lab flow code --config examples/fapi2/oauth-lab.yaml --client bank --client-key examples/fapi2/bank-key.json --par --dpop --scope 'openid records:read'":
    prints(/POST \/par[\s\S]* 303 [\s\S]*DPoP[\s\S]*^granted {2}alice -> bank/m),
  "oauth-lab flow refresh --issuer https://id.example --client-id app --user alice:wonderland --scope 'openid offline_access' --param prompt=consent":
    prints(/^granted/m, () => ({ OAUTH_LAB_CLIENT_SECRET: secretOf('app') })),

  'oauth-lab flow ciba --login-hint alice --binding-message W4SCT': prints(
    /“W4SCT”[\s\S]*^granted {2}alice -> demo/m,
  ),
  'oauth-lab flow code --response-mode jwt': prints(/the response JWT is verified[\s\S]*^granted/m),
  'oauth-lab flow hybrid --response-mode form_post.jwt': prints(
    /response ok[\s\S]*the id_token is verified[\s\S]*^granted/m,
  ),
}
