const form = document.querySelector('form');
const alerted = document.querySelector('#failure');
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));
  navigator.credentials.get({ publicKey }).then(
    (credential) => {
      form.elements.credential.value = JSON.stringify(credential.toJSON());
      form.submit();
    },
    () => {
      alerted.textContent = 'The passkey was not used. Try again.';
    },
  );
});
