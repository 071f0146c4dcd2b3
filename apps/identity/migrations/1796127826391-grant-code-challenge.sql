GRANT UPDATE (code_challenge) ON "identity"."pending_sign_ups" TO identity;
