@node "%~dp0pulumi-resource-neon" %*
