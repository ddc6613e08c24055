/**
 * A self-signed certificate for `platform.example`, valid until 2125, with its private key. For tests only: nothing
 * trusts it unless it is told to.
 *
 * Created with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500
 * -subj /CN=platform.example -addext subjectAltName=DNS:platform.example`.
 */
export const certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBqTCCAVCgAwIBAgIURy8ikyGogQmkJ4vUJaum+ZNWubMwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcGxhdGZvcm0uZXhhbXBsZTAgFw0yNjExMjEyMjQ5MzVaGA8y
MTI2MTAyODIyNDkzNVowGzEZMBcGA1UEAwwQcGxhdGZvcm0uZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABGEZwRZqIxAoRuTD1IOLv3dLBrF3DeUItG9F
8c4cYF12WUlcem8G37TWpRU7cIan2svffmbtY3d0VyVGlFXP9SGjcDBuMB0GA1Ud
DgQWBBRcqtlgyZ3q4pmurvZKlnyU6BlWgDAfBgNVHSMEGDAWgBRcqtlgyZ3q4pmu
rvZKlnyU6BlWgDAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHBsYXRmb3Jt
LmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgQz+QeYQc+V+8ATuutAG+v2HUWEBB
OPGmAtYWbmbMlwgCID9yURD2iqCmzzou9PeNHnQ6nVrN8iaP8RJUR2qrBgfk
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1/NHKLa1aKRSXjcr
R3Ad+DVqcPOn/cxpkLZjqF0ltxShRANCAARhGcEWaiMQKEbkw9SDi793Swaxdw3l
CLRvRfHOHGBddllJXHpvBt+01qUVO3CGp9rL335m7WN3dFclRpRVz/Uh
-----END PRIVATE KEY-----
`,
};
