/** Of operators that our addon brings with it: native/convolution/operator.h. */
export const OWN_DOMAIN = 'lantang';
/** Of ONNX Runtime's own operators. */
export const RUNTIME_DOMAIN = 'com.microsoft';
