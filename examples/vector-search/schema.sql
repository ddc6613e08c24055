-- What migrations of the application do: no resource of @pulumi/postgresql creates tables and policies.
CREATE TABLE document (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text NOT NULL,
  body text NOT NULL
);
ALTER TABLE document ENABLE ROW LEVEL SECURITY;
-- Everybody reads their own documents: `SET app.customer = 'ann'` says who asks.
CREATE POLICY own_documents ON document FOR SELECT USING (owner = current_setting('app.customer', true));
